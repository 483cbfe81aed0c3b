// `npm run prepare` calls this after the build: see template.ts.
import { makeTemplate } from './database-template.ts';

process.umask(0o077);
await makeTemplate();
