// Generates drizzle/migrations from drizzle/schema.ts: `npm run migration`.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './drizzle/schema.ts',
  out: './drizzle/migrations',
});
