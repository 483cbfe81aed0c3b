// The process's environment, completed by a file .env in the working directory; what is set already wins.
import { existsSync } from 'node:fs';
import type { Environment } from '../config/config.ts';

export function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
