// The process's environment, completed by a file .env in the working directory; what is set already wins.
import { existsSync, readFileSync } from 'node:fs';
import { ConfigError, type Environment, environmentSchema } from '../config/config.ts';

const FILE = '.env';

/** @throws ConfigError when the file holds a setting of which Node would read a part. */
export function readEnvironment(): Environment {
  if (!existsSync(FILE)) return process.env;
  const cut = cutShort(readFileSync(FILE, 'utf8')).filter((name) => process.env[name] === undefined);
  if (cut.length > 0) throw new ConfigError(cut.map(sentence).join('\n'));
  process.loadEnvFile(FILE);
  return process.env;
}

/** Settings with a # inside of a value without quotes, from which on it would be a comment: half a password. */
function cutShort(text: string): string[] {
  const lines = text.matchAll(/^\s*(?:export\s+)?(\w+)[ \t]*=[ \t]*(?!["'`\s#])\S*[^\s#]#/gm);
  return [...lines].map(([, name = '']) => name).filter((name) => name in environmentSchema.shape);
}

function sentence(name: string): string {
  return `${name} in ${FILE} ends at its #, where a comment begins: write %23 for it in an address, otherwise put the value in quotes.`;
}
