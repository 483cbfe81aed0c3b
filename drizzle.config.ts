// Generates drizzle/migrations from the tables in drizzle/schema/: `npm run migration`.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './drizzle/schema/*.ts',
  out: './drizzle/migrations',
});
