// `tollgate listen`: events of a company come over a connection that this machine opens, and go on to a receiver on it as the
// webhooks that they would be, signed with a secret of the listener's own (docs/decisions/1102).
import { createHmac } from 'node:crypto';
import { readConfig } from '../config/config.ts';
import { TollgateError } from '../errors.ts';
import { forwardedWaiting } from '../limits/listening.ts';
import { isLoopbackHost } from '../loopback.ts';
import { readEnvironment } from '../service/environment.ts';
import { followService } from './event-source.ts';
import { createForwarding, type Say } from './forwarding.ts';

export type ListenOptions = { forward: string; api?: string; application?: string };

const API_KEY_VARIABLE = 'TOLLGATE_API_KEY';

/** Goes on until it is interrupted, or the key is refused. */
export async function runListen(options: ListenOptions): Promise<void> {
  const environment = readEnvironment();
  const apiKey = requireApiKey(environment[API_KEY_VARIABLE]);
  const api = requireSafeUrl(options.api ?? readConfig(environment).apiBaseUrl, '--api').replace(/\/+$/, '');
  const receiver = requireSafeUrl(options.forward, '--forward');
  const secret = signingSecretOf(apiKey);
  const say: Say = (words) => console.log(`${new Date().toTimeString().slice(0, 8)}  ${words}`);
  const ended = new AbortController();
  const forwarding = createForwarding({ receiver, secret, say, signal: ended.signal });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => {
      ended.abort();
      if (forwarding.waiting() > 0) say(`${forwarding.waiting()} events were not handed on.`);
      process.exit(0);
    });
  console.log(`
  ${api}  →  ${receiver}

  Signing secret: ${secret}
  It is the same whenever you listen with this API key, and signs nothing else.

  Ctrl-C ends it.
`);
  try {
    for await (const events of followService({ api, apiKey, ...options, say, signal: ended.signal })) {
      for (const event of events) forwarding.add(event);
      await forwarding.roomFor(forwardedWaiting);
    }
  } finally {
    ended.abort();
  }
}

/** Whoever knows the secret learns nothing of the key; who starts again tomorrow need not change their settings. */
function signingSecretOf(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('tollgate listen').digest('base64url')}`;
}

function requireApiKey(value: string | undefined): string {
  if (value?.trim()) return value.trim();
  throw new TollgateError(
    'invalid_request',
    `Set ${API_KEY_VARIABLE} to an API key, in the environment or in .env. \`npx tollgate api-key create --name listen\` makes one, and so does company settings.`,
  );
}

/** The key, and customers' addresses, travel there. */
function requireSafeUrl(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url && isSafe && !url.username) return url.href;
  throw new TollgateError(
    'invalid_request',
    `${option} must be an https:// address, or an http:// address of this machine such as http://localhost:4003/webhooks.`,
  );
}
