// Settings from the environment: one zod schema that parses, explains and documents them. `.env.example` is
// checked against it by a test, so neither can drift.
import { z } from 'zod';
import { halfOpenMegabytes } from '../limits/strangers.ts';
import { isLoopbackHost } from '../loopback.ts';
import { misspeltVariables } from './misspelt.ts';
import { problemsBetween } from './needed.ts';
import { paymentEnvironment, readPaymentConfig, type StripeConfig } from './payments.ts';
import { readSocialConfig, type SocialConfig, socialEnvironment } from './social.ts';
import {
  address,
  decimalNumber,
  micro,
  oneOf,
  onOff,
  optional,
  redisUrl,
  secrets,
  url,
  wholeNumber,
  withDefault,
  yesNo,
} from './values.ts';

/** Every variable with its meaning, unit and default; the descriptions are what `.env.example` says. */
export const environmentSchema = z.object({
  PORT: withDefault(wholeNumber(1, 65_535), '4080').describe('TCP port to listen on. Default 4080.'),
  HOST: optional(z.string()).describe(
    'Network address to listen on. Default 127.0.0.1 if BASE_URL is a loopback address, otherwise 0.0.0.0.',
  ),
  BASE_URL: optional(url('http:', 'https:')).describe(
    'Public URL of the service and issuer of every token: an origin without a path. Default http://localhost:PORT.',
  ),
  API_BASE_URL: optional(url('http:', 'https:')).describe(
    'Public URL of the customer-data API. Default BASE_URL/v1.',
  ),
  DATA_DIR: withDefault(z.string(), './data').describe(
    'Folder for the embedded database and the generated secret; with DATABASE_URL, for the secret only. Default ./data.',
  ),
  DATABASE_URL: optional(address('postgres:', 'postgresql:')).describe(
    'PostgreSQL 15 or later. Default: an embedded database in DATA_DIR, for a single process.',
  ),
  REDIS_URL: optional(redisUrl).describe(
    'Redis 7 or later, for sessions, codes and access tokens, and for rate limits shared between processes: redis://user:password@host:6379/0, rediss:// for TLS, ?cluster=true for a Cluster, ?prefix=name: to prefix every key (default tollgate:). Default: PostgreSQL stores them, and each process counts its own rate limits.',
  ),
  SMTP_URL: optional(address('smtp:', 'smtps:')).describe(
    'Mail server, for example smtps://user:password@mail.example.com. Default: a development inbox at BASE_URL/dev/inbox, available only if BASE_URL and HOST are loopback addresses.',
  ),
  MAIL_FROM: withDefault(
    z.string().min(3, 'must be an address, or a name and an address in <>'),
    'Tollgate <no-reply@localhost>',
  ).describe('Sender of all email. Default "Tollgate <no-reply@localhost>".'),
  TOLLGATE_SECRET: optional(secrets).describe(
    'The secret all keys are derived from, at least 32 random characters: `openssl rand -base64 48`. To rotate it, list several separated by commas: the first one encrypts, all of them decrypt (docs/operations.md). Default: generated in DATA_DIR/secret on first start. If you lose it, every `sub`, session and webhook secret is lost.',
  ),
  TRUST_PROXY: withDefault(wholeNumber(0, 10), '0').describe(
    'Number of your own proxies in front of the service, used to find client addresses for rate limits. Default 0: X-Forwarded-For is ignored.',
  ),
  OPERATIONS_PORT: optional(wholeNumber(0, 65_535)).describe(
    'TCP port for /healthz, /readyz and /metrics, for health checks and Prometheus only; 0 picks a free port. Default: not opened.',
  ),
  OPERATIONS_HOST: optional(z.string()).describe('Network address of OPERATIONS_PORT. Default HOST.'),
  SHUTDOWN_DELAY: optional(wholeNumber(0, 300)).describe(
    'Seconds between reporting "not ready" on OPERATIONS_PORT and closing the port, so load balancers can react. Default 5 with OPERATIONS_PORT, otherwise 0.',
  ),
  LEDGER_VERIFY_MINUTES: withDefault(wholeNumber(0, 10_080), '60').describe(
    'Minutes between verifications of the ledger, done by one process for all; 0 turns them off. Default 60.',
  ),
  ACCOUNTS_VERIFY_MINUTES: withDefault(wholeNumber(0, 10_080), '60').describe(
    'Minutes between verifications of accounts and sessions, done by one process for all; 0 turns them off. Default 60.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url('http:', 'https:')).describe(
    'OpenTelemetry collector to send traces to (OTLP over HTTP); the other standard OTEL_ variables apply. Default: no traces.',
  ),
  RATE_LIMIT_FACTOR: withDefault(decimalNumber(0.01, 1_000_000), '1').describe(
    'Multiplies every rate limit; raise it for load tests. Default 1; other values log a warning.',
  ),
  HALF_OPEN_MEGABYTES: withDefault(wholeNumber(1, 65_536), String(halfOpenMegabytes)).describe(
    `Megabytes of Redis memory for unfinished sign-ins (without Redis: counted per process), of which one application gets half and one network address 1. Default ${halfOpenMegabytes}.`,
  ),
  LOG_LEVEL: withDefault(oneOf(['debug', 'info', 'warn', 'error', 'silent']), 'info').describe(
    'debug, info, warn, error or silent. Default info.',
  ),
  CURRENCY: withDefault(
    z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as EUR'),
    'EUR',
  ).describe('ISO 4217 currency of new workspaces. Default EUR.'),
  REGISTRATION_PRICE: withDefault(micro, '0.05').describe(
    'Price of a registration in new workspaces, in the currency, at most six decimals. Default 0.05.',
  ),
  SIGN_IN_PRICE: withDefault(micro, '0.02').describe(
    'Price of a later sign-in in new workspaces, in the currency, at most six decimals. Default 0.02.',
  ),
  WELCOME_CREDIT: withDefault(micro, '0').describe(
    'What a workspace gets to begin with, once, on the balance of its first live application, in the workspace’s currency, at most six decimals. Default 0: nothing.',
  ),
  STRICT_CLIENTS_ONLY: withDefault(yesNo, 'false').describe(
    'true or false: forbid compatible client rules for all applications, whatever their company has chosen (docs/decisions/0807). Default false.',
  ),
  WORKERS: withDefault(onOff, 'on').describe(
    'on or off: whether this process also sends email and webhooks and cleans up. Off dedicates it to requests; keep at least one other process on. Default on.',
  ),
  WEBHOOK_ALLOW_LOOPBACK: withDefault(onOff, 'off').describe(
    'on or off: allow webhook endpoints on this machine (https://localhost:…). For development only. Default off.',
  ),
  WEBHOOK_CA_FILE: optional(z.string()).describe(
    'PEM file with an additional certificate authority to trust for webhook endpoints. Default: public authorities only.',
  ),
  ...socialEnvironment,
  ...paymentEnvironment,
});

export type Environment = Record<string, string | undefined>;

export type Config = {
  port: number;
  host: string;
  /** The issuer: an origin, no trailing slash. */
  baseUrl: string;
  apiBaseUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** undefined: the data directory keeps a generated one. */
  secret: string | undefined;
  trustProxy: number;
  operationsPort: number | undefined;
  operationsHost: string;
  shutdownDelaySeconds: number;
  /** 0: never. */
  ledgerVerifyMinutes: number;
  accountsVerifyMinutes: number;
  otlpEndpoint: string | undefined;
  rateLimitFactor: number;
  halfOpenMegabytes: number;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  currency: string;
  /** Micro-units (10⁻⁶ of the currency). */
  registrationPrice: bigint;
  signInPrice: bigint;
  /** Micro-units of the workspace's currency; 0: none. */
  welcomeCredit: bigint;
  strictClientsOnly: boolean;
  workers: boolean;
  webhookAllowLoopback: boolean;
  webhookCaFile: string | undefined;
  social: SocialConfig;
  /** undefined: no payments, the operator credits. */
  stripe: StripeConfig | undefined;
  isSecure: boolean;
  isLoopback: boolean;
  hasDevelopmentInbox: boolean;
};

/** Says everything that is wrong at once, one line per variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError with one sentence per wrong variable. */
export function readConfig(environment: Environment): Config {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success)
    throw new ConfigError([...parsed.error.issues.map(sentence), WHERE_EXPLAINED].join('\n'));
  const settings = parsed.data;
  const baseUrl = new URL(settings.BASE_URL ?? `http://localhost:${settings.PORT}`);
  if (baseUrl.pathname !== '/' || baseUrl.search || baseUrl.hash || baseUrl.username) {
    throw new ConfigError('BASE_URL must be an origin such as https://id.example.com, without a path.');
  }
  const isLoopback = isLoopbackHost(baseUrl.hostname);
  const host = settings.HOST ?? (isLoopback ? '127.0.0.1' : '0.0.0.0');
  const problems = problemsBetween(settings, { baseUrl, host });
  if (problems.length > 0) throw new ConfigError([...problems, WHERE_SET].join('\n'));
  return {
    port: settings.PORT,
    host,
    baseUrl: baseUrl.origin,
    apiBaseUrl: (settings.API_BASE_URL ?? `${baseUrl.origin}/v1`).replace(/\/+$/, ''),
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    redisUrl: settings.REDIS_URL,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    secret: settings.TOLLGATE_SECRET,
    trustProxy: settings.TRUST_PROXY,
    operationsPort: settings.OPERATIONS_PORT,
    operationsHost: settings.OPERATIONS_HOST ?? host,
    shutdownDelaySeconds: settings.SHUTDOWN_DELAY ?? (settings.OPERATIONS_PORT === undefined ? 0 : 5),
    ledgerVerifyMinutes: settings.LEDGER_VERIFY_MINUTES,
    accountsVerifyMinutes: settings.ACCOUNTS_VERIFY_MINUTES,
    otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    rateLimitFactor: settings.RATE_LIMIT_FACTOR,
    halfOpenMegabytes: settings.HALF_OPEN_MEGABYTES,
    logLevel: settings.LOG_LEVEL,
    currency: settings.CURRENCY,
    registrationPrice: settings.REGISTRATION_PRICE,
    signInPrice: settings.SIGN_IN_PRICE,
    welcomeCredit: settings.WELCOME_CREDIT,
    strictClientsOnly: settings.STRICT_CLIENTS_ONLY,
    workers: settings.WORKERS,
    webhookAllowLoopback: settings.WEBHOOK_ALLOW_LOOPBACK,
    webhookCaFile: settings.WEBHOOK_CA_FILE,
    social: explained(() => readSocialConfig(settings)),
    stripe: explained(() => readPaymentConfig(settings)),
    isSecure: baseUrl.protocol === 'https:',
    isLoopback,
    // Both addresses are loopback ones, or this would have ended above.
    hasDevelopmentInbox: !settings.SMTP_URL,
  };
}

function explained<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

const WHERE_EXPLAINED = '.env.example explains every setting, with its unit and default.';
const WHERE_SET = `Settings stand in the environment or in .env, in the folder of the start; ${WHERE_EXPLAINED}`;

/** What is set, is no setting of ours, and looks like one; each with what was meant. Nothing is refused for it. */
export function misspeltSettings(environment: Environment): string[] {
  return misspeltVariables(environment, Object.keys(environmentSchema.shape)).map(
    ({ name, meant }) => `${name} is not a setting. Did you mean ${meant}?`,
  );
}

function sentence(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}.`;
}
