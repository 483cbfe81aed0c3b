// Limits on requests: counted in Redis when several processes share them, in memory otherwise.
// What protects a secret is counted in the database instead, by attempt-limit.ts.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { entriesOf } from '../entries.ts';
import { tooManyRequests } from '../errors.ts';
import { rateLimits } from '../limits/request-rates.ts';
import type { RedisClient } from '../redis/client.ts';

export type RateLimitName = keyof typeof rateLimits;

export type RateLimiter = {
  /** Counts one request. @throws TollgateError too_many_requests with the seconds left. */
  consume(name: RateLimitName, key: string): Promise<void>;
  /** The same refusal without counting: for limits that count failures only. */
  check(name: RateLimitName, key: string): Promise<void>;
};

export function createRateLimiter(options: { factor: number; redis?: RedisClient | undefined }): RateLimiter {
  const limiters = new Map<RateLimitName, { limiter: RateLimiterAbstract; points: number }>();
  for (const [name, limit] of entriesOf(rateLimits)) {
    const points = Math.max(1, Math.round(limit.count * options.factor));
    limiters.set(name, { points, limiter: createLimiter(name, points, limit.seconds, options.redis) });
  }
  const find = (name: RateLimitName) => {
    const found = limiters.get(name);
    if (!found) throw new Error(`no rate limit is called ${name}`);
    return found;
  };
  return {
    async consume(name, key) {
      try {
        await find(name).limiter.consume(key);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext, name);
        throw refusal;
      }
    },
    async check(name, key) {
      const { limiter, points } = find(name);
      if (options.redis && (await hasNoCount(options.redis, limiter.getKey(key)))) return;
      const state = await limiter.get(key);
      if (state && state.consumedPoints >= points) throw tooManyRequests(state.msBeforeNext, name);
    },
  };
}

/** Almost everybody: one plain command, which leaves in one packet with the others of its moment. */
async function hasNoCount(redis: RedisClient, key: string): Promise<boolean> {
  const count = await redis.get(key).catch(() => undefined);
  return count === null;
}

function createLimiter(
  name: string,
  points: number,
  duration: number,
  redis: RedisClient | undefined,
): RateLimiterAbstract {
  const settings = { keyPrefix: `limit:${name}`, points, duration };
  if (!redis) return new RateLimiterMemory(settings);
  // While Redis is away each process counts for itself: a limit never turns into no limit.
  return new RateLimiterRedis({
    ...settings,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(settings),
  });
}

/** One key per place on the network: an IPv6 customer owns a whole /64, and ::ffff:192.0.2.1 is 192.0.2.1. */
export function ipAddressKey(ipAddress: string): string {
  if (isIPv4(ipAddress)) return ipAddress;
  if (!ipaddr.isValid(ipAddress)) return 'unknown';
  const parsed = ipaddr.process(ipAddress);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const prefix = parsed.toByteArray().slice(0, 8);
  return `${Buffer.from(prefix).toString('hex')}/64`;
}
