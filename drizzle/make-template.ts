// `npm run prepare` calls this after the build: see template.ts.
import { makeTemplate } from './template.ts';

await makeTemplate();
