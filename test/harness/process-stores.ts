// The project's stores as settings for processes of their own: none for the embedded database, which each process
// opens in its own directory.
import { randomSecret } from '../../src/secrets.ts';
import { openTestPostgres } from './database.ts';
import { openTestRedis } from './redis.ts';
import { chosenStores } from './stores.ts';

export type ProcessStores = { environment: Record<string, string>; remove(): Promise<void> };

export async function openProcessStores(): Promise<ProcessStores> {
  if (chosenStores() === 'embedded') return { environment: {}, remove: async () => undefined };
  const database = await openTestPostgres();
  const redis = openTestRedis();
  return {
    environment: {
      DATABASE_URL: database.databaseUrl ?? '',
      REDIS_URL: redis.url,
      TOLLGATE_SECRET: randomSecret(),
    },
    async remove() {
      await redis.remove();
      await database.remove();
    },
  };
}
