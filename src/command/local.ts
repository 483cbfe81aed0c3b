// What a developer runs beside their own application, on their own machine: HTTPS in front of it, and webhooks to it.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { TollgateError } from '../errors.ts';
import { example, needs } from './ask.ts';
import type { ListenOptions } from './listen.ts';

export function addLocal(program: Command): void {
  const front = program
    .command('local-https')
    .description('HTTPS in front of your own http server on this machine, for callbacks while you develop')
    .argument('<port>', 'where HTTPS is to be, for example 4443', port);
  needs(front, '--to <port>', 'where your http server listens, for example 3001', port)
    .option(
      '--certificates <folder>',
      'where certificate and authority are kept; default ~/.tollgate/local-https',
    )
    .addHelpText('after', example('npx tollgate local-https 4443 --to 3001'))
    .action(runLocalHttps);
  const listen = program
    .command('listen')
    .description('receive events on your own machine, as signed webhooks; needs TOLLGATE_API_KEY');
  needs(listen, '--forward <url>', 'where they go, for example http://localhost:4003/webhooks')
    .option('--api <url>', 'address of the customer-data API; default as in the settings of this folder')
    .option('--application <id>', 'only events of this application; default all that the key reads')
    .addHelpText('after', example('npx tollgate listen --forward http://localhost:4003/webhooks'))
    .action(async (options: ListenOptions) => {
      const { runListen } = await import('./listen.ts');
      await runListen(options);
    });
}

async function runLocalHttps(at: number, options: { to: number; certificates?: string }): Promise<void> {
  const { explainLocalHttps, startLocalHttps } = await import('./local-https.ts');
  const { keepCertificate } = await import('./local-certificate.ts');
  const folder = options.certificates ?? join(homedir(), '.tollgate', 'local-https');
  const certificate = await keepCertificate(folder);
  const front = await startLocalHttps({ port: at, to: options.to, certificate }).catch((error: unknown) => {
    throw isTaken(error)
      ? new TollgateError('conflict', `Port ${at} is taken by another program; name another one.`)
      : error;
  });
  console.log(explainLocalHttps(certificate, front.url, options.to));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => void front.close().then(() => process.exit(0)));
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

const LAST_PORT = 65_535;

function port(text: string): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= LAST_PORT) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${LAST_PORT}.`);
}
