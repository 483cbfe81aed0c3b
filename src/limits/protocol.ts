// Every duration, size and limit of the service: each with a name, a unit and a reason. Nothing else in the code holds
// a number of this kind.
import { deviceRateLimits } from './devices.ts';
import { DAY, HOUR, KIBIBYTE, MINUTE, SECOND } from './units.ts';

// ── Codes and tokens (seconds) ──────────────────────────────────────────────────────────────────────────────

/** RFC 6749 §4.1.2 allows 10 minutes; a backend exchanges within a second or two. */
export const authorizationCodeSeconds = 60 * SECOND;
/** A person may have to find the mail on another device first. */
export const interactionSeconds = 30 * MINUTE;
/** A browser cannot keep a token safe: short. */
export const publicAccessTokenSeconds = 10 * MINUTE;
export const confidentialAccessTokenSeconds = 60 * MINUTE;
export const idTokenSeconds = 60 * MINUTE;
/** Rotated at each use; from the first one on, since a rotated token inherits what is left. */
export const publicRefreshTokenSeconds = 14 * DAY;
/** Absolute, not rotated: a backend that loses an answer may repeat its request. */
export const confidentialRefreshTokenSeconds = 90 * DAY;
export const sessionIdleSeconds = 24 * HOUR;
export const sessionAbsoluteSeconds = 14 * DAY;
/** Must outlive the longest refresh token issued on the last day of a session. */
export const grantSeconds = sessionAbsoluteSeconds + confidentialRefreshTokenSeconds + DAY;
/** Clients may keep the key set this long. */
export const keySetCacheSeconds = HOUR;
/** Before it signs, a new key is published: many times longer than any client should keep the key set. */
export const signingKeyAnnouncementSeconds = DAY;
/** A new signing key takes over this long after the one before, without anybody having to remember it. */
export const signingKeyRotationSeconds = 90 * DAY;
/** After an emergency rotation: until then every process has noticed, and the old key leaves the key set. */
export const replacedKeySeconds = 3 * MINUTE;
/** How soon a process notices that another one rotated the keys, or that a new key's time has come. */
export const signingKeyWatchSeconds = 60 * SECOND;
/** Old ID Tokens come back as hints at logout: their key is published for as long as a session can last. */
export const signingKeyRetirementSeconds = sessionAbsoluteSeconds + idTokenSeconds;
/** A client that guesses verifiers gets this many tries before its code dies. */
export const wrongVerifiersPerCode = 5;

// ── One-time codes and passwords ────────────────────────────────────────────────────────────────────────────

export const oneTimeCodeDigits = 6;
export const oneTimeCodeSeconds = 10 * MINUTE;
export const oneTimeCodeAttempts = 5;
export const oneTimeCodeResendSeconds = 60 * SECOND;
/** Nobody's mailbox becomes a target. */
export const codeMailsPerEmail = { count: 5, seconds: HOUR };
export const failedCodesPerAccount = { count: 20, seconds: HOUR };
/** With 20 an hour alone, a day of guessing would reach 480 of a million; this stops it at 100. */
export const consecutiveFailedCodesPerAccount = { count: 100, seconds: 24 * HOUR, untilQuiet: true };
export const failedPasswordsPerAccountAndIpAddress = { count: 10, seconds: 15 * MINUTE };
/** From all network addresses together: a botnet gets no more than NIST SP 800-63B-4's 100. */
export const failedPasswordsPerAccount = { count: 100, seconds: HOUR };
/** NIST SP 800-63B-4: 15 characters when the password is the only factor. */
export const passwordMinimumCharacters = 15;
export const passwordMaximumCharacters = 256;
/** argon2id, OWASP's second choice: 19 MiB, 2 passes, about 20 ms on one core. */
export const passwordMemoryKibibytes = 19_456;
export const passwordPasses = 2;
/** One hash keeps a core busy; more at once only queue in the thread pool and take memory. */
export const passwordConcurrentHashes = 2;
/** About a second of waiting; whoever comes after that is told to come back instead of piling up. */
export const passwordWaitingHashes = 100;
/** zxcvbn's work grows with the square of the length; 64 characters take 60 ms at worst, 256 took 250. */
export const passwordEstimatedCharacters = 64;
/** zxcvbn's scale is 0 to 4; 3 is at least 10⁸ guesses, a hundred years of guessing at 100 an hour. */
export const passwordMinimumScore = 3;
/** A browser that a family shares; the oldest is forgotten first, so that the cookie stays below 400 bytes. */
export const knownAccountsPerBrowser = 6;
/** RFC 5321 §4.5.3.1: 64 for the local part, 254 for what fits between the angle brackets of a path. */
export const emailLocalPartCharacters = 64;
export const emailAddressCharacters = 254;

// ── Rate limits: requests per key and window ────────────────────────────────────────────────────────────────

/** Per network address they are generous, because offices and mobile networks share one. */
export const rateLimits = {
  authorize: { count: 600, seconds: MINUTE },
  sign_in_posts: { count: 120, seconds: MINUTE },
  registrations: { count: 60, seconds: HOUR },
  code_requests: { count: 60, seconds: HOUR },
  /** Wrong client secrets and failed exchanges: only failures count. */
  failed_exchanges: { count: 50, seconds: 10 * MINUTE },
  failed_api_keys: { count: 60, seconds: MINUTE },
  /** Per network address as well: one backend exchanges for all of its customers. */
  token_requests: { count: 6_000, seconds: MINUTE },
  ...deviceRateLimits,
  userinfo_requests: { count: 6_000, seconds: MINUTE },
  api_requests: { count: 600, seconds: MINUTE },
  /** Per workspace: each reads every customer of an application. */
  customer_exports: { count: 10, seconds: HOUR },
  /** Forms of company settings. */
  settings_posts: { count: 240, seconds: MINUTE },
  checkout_starts: { count: 30, seconds: HOUR }, // per workspace: each is asked about until it is settled
  /** Per network address; Stripe repeats what is refused. */
  payment_notifications: { count: 600, seconds: MINUTE },
  /** Replays per workspace: nobody hammers an endpoint through us. */
  webhook_sends: { count: 30, seconds: MINUTE },
  /** Test events per workspace, and per person in all of their workspaces: nobody pays for them. */
  webhook_tests: { count: 10, seconds: MINUTE },
  webhook_tests_of_person: { count: 20, seconds: MINUTE },
  /** Per member: each computes up to a thousand signatures. */
  signature_checks: { count: 30, seconds: MINUTE },
} as const;

// ── Passkeys ────────────────────────────────────────────────────────────────────────────────────────────────

/** How long the browser's dialogue stays open: WebAuthn §15.1 recommends five minutes. */
export const passkeyMilliseconds = 5 * MINUTE * 1000;
export const passkeysPerAccount = 20;
export const passkeyNameCharacters = 60;

// ── Social identity providers ───────────────────────────────────────────────────────────────────────────────

/** One request to a provider. A person waits for it: longer than this is "down". */
export const socialRequestMilliseconds = 3_500;
/** All requests of one page together: with the page itself below five seconds. */
export const socialPageMilliseconds = 4_500;
/** Their longest honest answer is a key set of some kilobytes. */
export const socialAnswerBytes = 256 * KIBIBYTE;
/** From the button to the return: time to sign in over there, with a second factor. */
export const socialAuthorizationSeconds = 10 * MINUTE;
/** Addresses of endpoints change over years. */
export const socialMetadataSeconds = DAY;
export const socialClockSkewSeconds = 5 * MINUTE;
/** Apple allows half a year; ours is made for each request. */
export const appleSecretSeconds = 5 * MINUTE;

// ── Pages (seconds) ─────────────────────────────────────────────────────────────────────────────────────────

/** Names of static files carry a hash of their content. */
export const assetSeconds = 365 * DAY;
/** A flash message from one page to the next lives as long as the redirect between them, plus a slow network. */
export const flashSeconds = 2 * MINUTE;
export const languageChoiceSeconds = 365 * DAY;
/** A tab with a sign-in that is over is found again the next day rather than the next week. */
export const leftApplicationSeconds = 2 * DAY;
/** A browser that signed in before keeps its right to try when others have used up an account's attempts. */
export const knownDeviceSeconds = 180 * DAY;
/** More than the inbox of an afternoon; newest first. */
export const developmentInboxShown = 50;

// ── Mail (milliseconds) ─────────────────────────────────────────────────────────────────────────────────────

export const smtpConnectMilliseconds = 10_000;
export const smtpGreetingMilliseconds = 10_000;
/** Silence in the middle of a conversation. */
export const smtpSocketMilliseconds = 30_000;
/** The whole conversation: ends before the queue would hand the same mail to another worker. */
export const smtpTotalMilliseconds = 75_000;

// ── Sizes ───────────────────────────────────────────────────────────────────────────────────────────────────

/** What a posted request may become a URL of: browsers and proxies take that much without a second thought. */
export const urlCharacters = 2_000;

export const formBytes = 16 * KIBIBYTE;
export const logoBytes = 512 * KIBIBYTE;
export const logoPixels = 2048;
/** Logos are shown at 64 CSS pixels; this is enough for a screen of three times the density. */
export const logoStoredPixels = 192;
/** A changed logo shows within this time everywhere. */
export const logoCacheSeconds = 10 * MINUTE;
export const applicationNameCharacters = 100;
export const personNameCharacters = 100;
export const redirectUriCharacters = 2_000;
export const redirectUrisPerApplication = 50;
export const listDefault = 50;
export const listMaximum = 100;
export const apiKeyNameCharacters = 100;
/** Valid ones: a list that a person can still read. */
export const apiKeysPerWorkspace = 100;
/** While servers change over to a new key, the old one may work for this long; 0 is for a key that leaked. */
export const apiKeyOverlapSeconds = [0, HOUR, DAY, 7 * DAY];
/** What the form offers as the life of a key, besides a date and no end. */
export const apiKeyLifetimeDays = [30, 90, 365] as const;
/** On the list a key that ends within this time is marked. */
export const apiKeyEndingSoonSeconds = 7 * DAY;
/** The latest of those that no longer work: enough to see which one somebody asks about. */
export const endedApiKeysShown = 50;
/** Ours have 61; anything longer is nobody's key and not worth hashing. */
export const apiKeyCharacters = 256;
/** How fresh "last used" is: one write a minute and key, not one per request. */
export const apiKeyUseSeconds = 60 * SECOND;

// ── Stores and server ───────────────────────────────────────────────────────────────────────────────────────

export const postgresConnectMilliseconds = 3_000;
export const postgresStatementMilliseconds = 5_000;
export const postgresLockMilliseconds = 2_000;
/** Longer than any statement may take: a connection in use that is silent for this long has lost its server. */
export const postgresSilenceMilliseconds = postgresStatementMilliseconds + 2_000;
/** Of one process; its charges, look-ups and job queue have their own. */
export const postgresConnections = 10;
/** The service has fewer; a plan takes some 20 KiB of the server's memory, on each connection that used it. */
export const postgresPreparedStatements = 300;
/** More than the widest row that is written alone. */
export const postgresPreparedParameters = 24;
export const transactionAttempts = 3;
/** A service that is started before its database waits this long; then it ends, and who supervises it decides. */
export const databaseWaitMilliseconds = 60_000;
export const databaseWaitPollMilliseconds = 500;
/** pg-boss's own maintenance may take a few seconds on a long queue. */
export const jobQueryMilliseconds = 15_000;
/** Every kind of look-up at once. A sign-in asks for five at its door: while three sign-ins' are under way, others gather. */
export const lookUpBatches = { size: 32, lanes: 3, few: 15 } as const;
export const postgresLookUpConnections = lookUpBatches.lanes;
/** Look-ups of one kind: as many keys as one statement asks for, and as many statements beside each other. */
export const readBatches = { size: 64, lanes: 3, few: 3 } as const;
/** Grants that are ended together: a code that is replayed two hundred times at once is one deletion, not six hundred. */
export const revocationBatches = { size: 64, lanes: 1 } as const;
export const redisCommandMilliseconds = 500;
export const redisConnectMilliseconds = 2_000;
/** The first sign-in after Redis is back must succeed within two seconds. */
export const redisReconnectMilliseconds = 500;
/** Commands under way and not a byte: the connection is dead and is opened anew, and limits are counted here. */
export const redisSilenceMilliseconds = 2_000;
/** A body that arrives one byte a second is cut here. */
export const requestMilliseconds = 30_000;
export const requestHeadersMilliseconds = 10_000;
export const keepAliveMilliseconds = 65_000;
export const requestHeaderBytes = 16 * KIBIBYTE;
/** After this, requests in flight are cut so that a deployment ends. */
export const shutdownMilliseconds = 30_000;
/** HKDF needs something to stretch; 32 random characters are what `.env.example` asks for. */
export const secretMinimumCharacters = 32;

// ── Housekeeping ────────────────────────────────────────────────────────────────────────────────────────────

export const housekeepingSeconds = 10 * MINUTE;
/** Late enough that "expired" and "already finished" can still be told apart on a page. */
export const flowKeptSeconds = DAY;
export const developmentMailKeptSeconds = 7 * DAY;

// ── The data directory and the operator's socket ────────────────────────────────────────────────────────────

export const dataDirectoryLockPollMilliseconds = 50;
/** A restart may meet the old process in its last moments; a second service should be refused at once. */
export const startLockWaitMilliseconds = 1_000;
/** Commands without a running service take turns; each needs about a second. */
export const commandLockWaitMilliseconds = 15_000;
/** `sun_path` has 108 bytes on Linux and 104 on macOS, the closing zero included. */
export const socketPathBytes = 103;
/** The largest request carries a logo, in base64. */
export const operatorRequestBytes = 1024 * KIBIBYTE;
/** `ledger verify` reads every transfer; everything else answers in milliseconds. */
export const operatorAnswerMilliseconds = 120_000;

/** Rows that `tollgate export` and `import` hold in memory at once. */
export const copyBatchRows = 500;
