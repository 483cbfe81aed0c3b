// Node libraries that the project does not depend on: programs in node/, where `npm install` was run in that folder.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Driver } from './drivers.ts';
import { asDocumented, shop } from './pasted.ts';

const require = createRequire(join(import.meta.dirname, 'node/package.json'));
const inCommon = { command: process.execPath, language: 'js', callback: `${shop}/callback` };

function versionOf(name: string): string | undefined {
  try {
    return require(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
}

export function furtherNodeDrivers(): Driver[] {
  const fastify = versionOf('@fastify/oauth2');
  const passport = versionOf('passport-openidconnect');
  return [
    ...(fastify ? [fastifyOauth2(fastify)] : []),
    ...(passport ? [passportOpenidconnect(passport)] : []),
  ];
}

const fastifyOauth2 = (version: string): Driver => ({
  name: '@fastify/oauth2',
  version,
  lines: 'there are none',
  isCompatibleOnly: true,
  signIn: asDocumented({ ...inCommon, program: 'node/fastify.js', heading: 'Fastify', theLine: '' }),
});

const passportOpenidconnect = (version: string): Driver => ({
  name: 'passport-openidconnect',
  version,
  lines: '`nonce: true`, [as below](#passport)',
  isCompatibleOnly: true,
  signIn: asDocumented({
    ...inCommon,
    program: 'node/passport.js',
    heading: 'Passport',
    theLine: 'nonce: true,',
  }),
});
