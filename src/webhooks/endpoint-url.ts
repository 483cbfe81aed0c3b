// Which endpoints a webhook may go to (promise 37), so that nobody makes us call our own network. The
// rules are asked when a subscription is created and again, with the addresses really used, at every attempt.
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { TollgateError } from '../errors.ts';
import { webhookDnsMilliseconds, webhookUrlCharacters } from '../limits/webhooks.ts';

export type EndpointRules = {
  /** Development only: `localhost` and loopback literals. Never any other private address. */
  allowLoopback: boolean;
  /** Host names of this service: a webhook to ourselves would be a loop. */
  ownHosts?: readonly string[] | undefined;
};

/** While the service itself is on loopback, its host name is also where development receivers are. */
export function endpointRulesOf(service: {
  baseUrl: string;
  isLoopback: boolean;
  webhookAllowLoopback: boolean;
}): EndpointRules {
  const ownHosts = service.isLoopback ? [] : [new URL(service.baseUrl).hostname];
  return { allowLoopback: service.webhookAllowLoopback, ownHosts };
}

/** Every address of a host name; rejects when the name has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Names that only exist inside somebody's network (RFC 6761, RFC 6762, RFC 8375, ICANN's private TLDs). */
const PRIVATE_SUFFIX =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|onion|invalid)$/;
/** Public names whose only purpose is to lead to an address written into the name, or to a private one. */
const ADDRESS_IN_NAME =
  /(^|\.)(nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|1u\.ms|rbndr\.us|traefik\.me)$/;
/** Cloud metadata under public names; those under `.internal` are covered above. */
const METADATA_NAMES = new Set([
  'metadata.goog',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'metadata.packet.net',
]);
const HTTPS_PORT = 443;
const FIRST_UNPRIVILEGED_PORT = 1024;
/** RFC 4291 §2.4: global unicast. The special ranges inside it are ipaddr's business. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** @throws TollgateError invalid_request with the sentence for the person who typed the address. */
export function parseEndpointUrl(value: string, rules: EndpointRules): URL {
  const problem = endpointProblem(value, rules);
  if (problem) throw new TollgateError('invalid_request', problem);
  return new URL(value);
}

function endpointProblem(value: string, rules: EndpointRules): string | undefined {
  if (value.length > webhookUrlCharacters)
    return `The endpoint is longer than ${webhookUrlCharacters} characters.`;
  // The parser would silently drop or turn round these characters, and another program may not.
  if (!/^[\x21-\x7e]+$/.test(value) || value.includes('\\'))
    return 'The endpoint contains a character that is not allowed.';
  const url = URL.parse(value);
  if (!url || !/^https:\/\/[^/]/i.test(value))
    return 'The endpoint must be an absolute URL that starts with https://.';
  if (url.username || url.password) return 'The endpoint must not contain a user name or password.';
  if (url.hash || value.includes('#')) return 'The endpoint must not contain a fragment.';
  const port = Number(url.port || HTTPS_PORT);
  if (port !== HTTPS_PORT && port < FIRST_UNPRIVILEGED_PORT)
    return 'The port of the endpoint must be 443, or 1024 and above.';
  return hostProblem(hostOf(url), rules);
}

function hostProblem(host: string, rules: EndpointRules): string | undefined {
  if (isLoopbackHost(host)) {
    return rules.allowLoopback
      ? undefined
      : 'The endpoint must be reachable from the internet, not a loopback address.';
  }
  if (isIP(host)) return 'The endpoint must have a host name, not an IP address.';
  if (host.endsWith('.')) return 'The host name of the endpoint must not end with a dot.';
  const isPublicName = host.includes('.') && !PRIVATE_SUFFIX.test(host) && !METADATA_NAMES.has(host);
  if (!isPublicName) return 'The host name of the endpoint must be a public one.';
  if (ADDRESS_IN_NAME.test(host))
    return 'The host name of the endpoint must not be one that stands for any address.';
  if (rules.ownHosts?.includes(host)) return 'The endpoint must not be this service itself.';
  return undefined;
}

/** The host name as a resolver or a socket wants it: an IPv6 literal without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isLoopback(host));
}

function isLoopback(ipAddress: string): boolean {
  return isIP(ipAddress) !== 0 && ipaddr.process(ipAddress).range() === 'loopback';
}

/** A public unicast address; or, for a loopback host under `allowLoopback`, a loopback address. */
export function isAllowedIpAddress(ipAddress: string, host: string, rules: EndpointRules): boolean {
  if (isIP(ipAddress) === 0) return false;
  if (rules.allowLoopback && isLoopbackHost(host)) return isLoopback(ipAddress);
  // `process` unwraps ::ffff:a.b.c.d, which a socket may report for a plain IPv4 peer.
  const parsed = ipaddr.process(ipAddress);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match([GLOBAL_UNICAST, 3]);
}

/** All addresses of the host, or none: one forbidden address among public ones is an attack, not a spare. */
export async function resolveEndpoint(
  host: string,
  options: { rules: EndpointRules; resolve: Resolve },
): Promise<Resolved> {
  const ipAddresses = await ipAddressesOf(host, options);
  const areAllowed =
    ipAddresses.length > 0 &&
    ipAddresses.every((ipAddress) => isAllowedIpAddress(ipAddress, host, options.rules));
  return areAllowed ? { allowed: true, ipAddresses } : { allowed: false };
}

export type Resolved = { allowed: true; ipAddresses: string[] } | { allowed: false };

async function ipAddressesOf(
  host: string,
  options: { rules: EndpointRules; resolve: Resolve },
): Promise<string[]> {
  if (isIP(host)) return [host];
  // RFC 6761 §6.3: never ask a name server for these.
  if (options.rules.allowLoopback && isLoopbackHost(host)) return ['127.0.0.1', '::1'];
  return options.resolve(host);
}

/**
 * The rules and the addresses of a new endpoint; a door calls it before it opens its transaction. A name that
 * does not resolve yet is no problem: every attempt asks again.
 */
export async function checkEndpoint(
  value: string,
  options: { rules: EndpointRules; resolve: Resolve },
): Promise<void> {
  const host = hostOf(parseEndpointUrl(value, options.rules));
  const resolved = await resolveEndpoint(host, options).catch(() => undefined);
  if (resolved && !resolved.allowed) {
    throw new TollgateError(
      'invalid_request',
      'The host name of the endpoint resolves to an address that is not public.',
    );
  }
}

/**
 * Asks the name servers directly. `dns.lookup` would occupy Node's thread pool, where a slow name server delays
 * everybody (and the password hashes), and would answer from /etc/hosts and search domains.
 */
export function createResolver(): Resolve {
  const resolver = new Resolver({ timeout: webhookDnsMilliseconds, tries: 2 });
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}
