// `tollgate doctor`: everything that can be wrong around the service, looked at one by one. Each check stands alone,
// so that one failure hides no other.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import { type Config, type Environment, misspeltSettings, readConfig } from '../config/config.ts';
import { isUnknownAuthority, NAME_THE_AUTHORITY } from '../config/unknown-authority.ts';
import { openDatabase } from '../database/connection.ts';
import { sqlState } from '../database/sql-state.ts';
import { tryMailServer } from '../queue/mail.ts';
import { createKeys, type Keys, splitSecrets } from '../secrets.ts';
import { createSocialProviders } from '../social/providers.ts';
import { inspectBaseUrl } from './base-url.ts';
import { inspectDatabase } from './database.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { inspectPayments } from './payments.ts';
import { inspectRedis } from './redis.ts';
import { inspectSocialProviders } from './social.ts';

export type DoctorOptions = {
  environment: Environment;
  /** Skip what only a running service can answer. */
  notStarted: boolean;
  /** The findings of a running embedded service about its own database; undefined when none runs. */
  askService(config: Config): Promise<Finding[] | undefined>;
};

export async function diagnose({ environment, notStarted, askService }: DoctorOptions): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    const says = error instanceof Error ? error.message : 'unreadable';
    return [problem('settings', says, 'Fix these variables; .env.example explains each of them.')];
  }
  const secret = config.secret ?? (await readSecretFile(config.dataDir));
  const keys = secret === undefined ? undefined : createKeys(secret);
  const checks: [string, () => Promise<Finding[]>][] = [
    ['settings', async () => [...inspectNames(environment), ...inspectSettings(config, secret)]],
    ['database', () => inspectStores(config, keys, askService)],
    ['redis', () => inspectRedis(config.redisUrl)],
    ['mail', () => inspectMail(config)],
    ['social providers', () => inspectSocialProviders(createSocialProviders(config), config)],
    ['payments', () => inspectPayments(config, systemClock)],
  ];
  if (keys && !notStarted)
    checks.push(['public address', () => inspectBaseUrl({ config, keys, now: new Date() })]);
  const findings: Finding[] = [];
  for (const [about, check] of checks)
    findings.push(...(await check().catch((error) => [failed(about, error)])));
  return findings;
}

/** Codes and classes only: messages of drivers name hosts and users. */
function failed(about: string, error: unknown): Finding {
  const reason = sqlState(error) ?? (error instanceof Error ? error.name : 'unknown');
  return problem(
    about,
    `cannot be reached (${reason})`,
    isUnknownAuthority(error)
      ? NAME_THE_AUTHORITY
      : 'Check that it is running, and the address, user and password.',
  );
}

async function readSecretFile(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'secret'), 'utf8').catch(() => undefined);
  return text?.trim();
}

function inspectNames(environment: Environment): Finding[] {
  return misspeltSettings(environment).map((sentence) =>
    warning('settings', sentence, 'Rename it, or remove it.'),
  );
}

function inspectSettings(config: Config, secret: string | undefined): Finding[] {
  const found = [ok('settings', 'complete')];
  if (secret !== undefined && splitSecrets(secret).some((each) => new Set(each).size < 10))
    found.push(
      problem(
        'secret',
        'TOLLGATE_SECRET is not random',
        'Replace it with the output of `openssl rand -base64 48`, as docs/operations.md describes.',
      ),
    );
  if (config.databaseUrl && config.secret === undefined)
    found.push(
      problem(
        'secret',
        'TOLLGATE_SECRET is not set, so each machine generates its own in DATA_DIR',
        'Set the same TOLLGATE_SECRET on every process.',
      ),
    );
  if (config.databaseUrl && !config.redisUrl)
    found.push(
      warning(
        'redis',
        'not configured: each process counts rate limits on its own',
        'Set REDIS_URL if you run several processes.',
      ),
    );
  if (config.isLoopback) return found;
  if (config.rateLimitFactor !== 1)
    found.push(warning('limits', `multiplied by ${config.rateLimitFactor}`, 'Remove RATE_LIMIT_FACTOR.'));
  if (config.webhookAllowLoopback)
    found.push(problem('webhooks', 'can be sent to this machine', 'Remove WEBHOOK_ALLOW_LOOPBACK.'));
  if (config.operationsPort === undefined)
    found.push(
      warning(
        'operations',
        'no port for health checks and metrics',
        'Set OPERATIONS_PORT=9464, reachable from your network only.',
      ),
    );
  return found;
}

async function inspectStores(
  config: Config,
  keys: Keys | undefined,
  askService: DoctorOptions['askService'],
): Promise<Finding[]> {
  if (!config.databaseUrl) {
    const answered = await askService(config);
    return (
      answered ?? [
        ok('database', `embedded in ${resolve(config.dataDir)}; not checked because no service runs on it`),
      ]
    );
  }
  const connection = await openDatabase({ databaseUrl: config.databaseUrl });
  try {
    return await inspectDatabase({ db: connection.db, keys, clock: systemClock });
  } finally {
    await connection.close();
  }
}

async function inspectMail({ smtpUrl, mailFrom, hasDevelopmentInbox }: Config): Promise<Finding[]> {
  if (!smtpUrl) return [ok('mail', hasDevelopmentInbox ? 'kept in the development inbox' : 'not set')];
  const failure = await tryMailServer(smtpUrl);
  const found = [
    failure === undefined
      ? ok('mail', 'the mail server accepts the login')
      : problem(
          'mail',
          `the mail server cannot be used (${failure.reason})`,
          failure.isUnknownAuthority
            ? NAME_THE_AUTHORITY
            : 'Check SMTP_URL: scheme, host, port, user, password.',
        ),
  ];
  if (/@localhost>?$/.test(mailFrom))
    found.push(
      warning('mail sender', `mails come from ${mailFrom}`, 'Set MAIL_FROM to an address on your domain.'),
    );
  return found;
}
