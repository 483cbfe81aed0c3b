// The scripts of pages: small static files of our own origin, each an addition to a page that works without it. A page
// that wants one names it (`scripts` of document.tsx) and sets `ctx.state.cspScript = true` (src/http/security-headers.ts).
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { sha256 } from '../secrets.ts';

/** One file each in src/page/browser/. */
const names = [
  'appearance',
  'copy',
  'countdown',
  'drop',
  'form',
  'passkey',
  'password',
  'refresh',
  'tabs',
  'time',
] as const;

export type ScriptName = (typeof names)[number];
export type Script = { path: string; body: string };

export const scripts: ReadonlyMap<ScriptName, Script> = new Map(
  names.map((name) => {
    const body = read(name);
    return [name, { path: `/assets/${name}-${sha256(body).slice(0, 12)}.js`, body }];
  }),
);

export function scriptPath(name: ScriptName): string {
  const script = scripts.get(name);
  if (!script) throw new Error(`no script is called ${name}`);
  return script.path;
}

/** The build has compiled it; running from the sources, its types are taken off here. */
function read(name: ScriptName): string {
  const isSource = import.meta.url.endsWith('.ts');
  // By the package's own import map: the build may have put this module into another file (scripts/bundle.ts).
  const file = isSource ? `#root/src/page/browser/${name}.ts` : `#root/dist/src/page/browser/${name}.js`;
  const text = readFileSync(new URL(import.meta.resolve(file)), 'utf8');
  return isSource ? stripTypeScriptTypes(text) : text;
}
