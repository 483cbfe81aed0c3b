// How many bytes of authorization requests may wait for people, and where they are counted.

import {
  halfOpenBytesOfIpAddress,
  halfOpenMegabytes,
  halfOpenShareOfApplication,
} from '../src/limits/strangers.ts';
import type { RedisClient } from '../src/redis/client.ts';
import { createHalfOpenInMemory, type HalfOpen } from './half-open.ts';
import { createHalfOpenInRedis } from './half-open-redis.ts';

type Options = {
  /** undefined: this process counts for itself. */
  redis?: RedisClient | undefined;
  /** RATE_LIMIT_FACTOR, for the budget of a network address. */
  factor?: number;
  /** HALF_OPEN_MEGABYTES */
  megabytes?: number;
};

export function createHalfOpen({ redis, factor = 1, megabytes = halfOpenMegabytes }: Options): HalfOpen {
  const overall = megabytes * 1024 * 1024;
  const budgets = {
    overall,
    application: overall * halfOpenShareOfApplication,
    address: Math.min(overall, halfOpenBytesOfIpAddress * factor),
  };
  return redis ? createHalfOpenInRedis(redis, budgets) : createHalfOpenInMemory(budgets);
}
