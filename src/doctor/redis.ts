// The doctor's look at Redis: reachable, new enough, and not one that throws away what it was given.
import { once } from 'node:events';
import { doctorQuestionMilliseconds } from '../limits/operations.ts';
import { createLog } from '../log.ts';
import { connectRedis } from '../redis/client.ts';
import { type Finding, ok, problem } from './finding.ts';

const OLDEST_MAJOR = 7;

export async function inspectRedis(url: string | undefined): Promise<Finding[]> {
  if (!url) return [];
  const redis = connectRedis({ url, log: createLog({ level: 'silent' }) });
  // Wrong passwords and refused connections arrive as events; the client itself would go on trying.
  try {
    await once(redis, 'ready', { signal: AbortSignal.timeout(doctorQuestionMilliseconds) });
    const info = await redis.info();
    const field = (name: string) => new RegExp(`^${name}:(.*)\\r?$`, 'm').exec(info)?.[1]?.trim() ?? '';
    const version = field('redis_version');
    const found = [
      Number(version.split('.')[0]) >= OLDEST_MAJOR
        ? ok('redis', `Redis ${version}`)
        : problem('redis', `Redis ${version}`, `Use Redis ${OLDEST_MAJOR} or later.`),
    ];
    const policy = field('maxmemory_policy');
    if (policy !== 'noeviction' && field('maxmemory') !== '0')
      found.push(
        problem(
          'redis memory',
          `sessions and rate limits are evicted when memory is full (${policy})`,
          'Set maxmemory-policy to noeviction and give it enough maxmemory.',
        ),
      );
    return found;
  } finally {
    redis.disconnect();
  }
}
