// half-open.ts for processes that share a Redis: one script decides, so that no two of them can share a place below a
// budget. All keys have one hash tag and so one place in a Cluster.

import { halfOpenEvictions } from '../src/limits/strangers.ts';
import { interactionSeconds } from '../src/limits/token-lifetimes.ts';
import { createScript, type RedisClient, runScript } from '../src/redis/client.ts';
import type { Admission, Budgets, HalfOpen, HalfOpenRecord } from './half-open.ts';

const KEY = '{half-open}';

/**
 * `facts` has a line for each record, `ends` the moment of its end, `bytes` the sums that are compared with budgets,
 * `busy:<scope>` the bytes of an address that nobody has typed into, `old:<scope>:<address>` those, oldest first.
 * A scope is everything (empty) or one application.
 */
const COMMON = `
local base = KEYS[1]
local facts, ends, bytes = base .. ':facts', base .. ':ends', base .. ':bytes'
local function busy(scope) return base .. ':busy:' .. scope end
local function old(scope, address) return base .. ':old:' .. scope .. ':' .. address end
local function read(id)
  local line = redis.call('HGET', facts, id)
  if not line then return nil end
  local address, client, size, touched = string.match(line, '^(%S+) (%S+) (%d+) (%d)$')
  return { address = address, client = client, size = tonumber(size), touched = touched == '1' }
end
local function write(id, fact)
  local touched = fact.touched and '1' or '0'
  redis.call('HSET', facts, id, fact.address .. ' ' .. fact.client .. ' ' .. fact.size .. ' ' .. touched)
end
local function totals(fact) return { 'overall', 'application ' .. fact.client, 'address ' .. fact.address } end
local function settle(id, fact)
  for _, scope in ipairs({ '', fact.client }) do
    if redis.call('ZREM', old(scope, fact.address), id) == 1 then
      local left = tonumber(redis.call('ZINCRBY', busy(scope), -fact.size, fact.address))
      if left <= 0 then redis.call('ZREM', busy(scope), fact.address) end
    end
  end
end
local function drop(id)
  local fact = read(id)
  redis.call('ZREM', ends, id)
  if not fact then return end
  settle(id, fact)
  redis.call('HDEL', facts, id)
  for _, name in ipairs(totals(fact)) do
    if redis.call('HINCRBY', bytes, name, -fact.size) <= 0 then redis.call('HDEL', bytes, name) end
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** With it a script writes into a full Redis: who has typed something finishes. */
const EVEN_IF_FULL = '#!lua flags=allow-oom\n';

const ADMIT_TEXT = `${COMMON}
local id, evicted = ARGV[1], {}
local fact = { address = ARGV[2], client = ARGV[3], size = tonumber(ARGV[4]), touched = ARGV[5] == '1' }
local seconds, most, kept = tonumber(ARGV[6]), tonumber(ARGV[10]), tonumber(ARGV[11])
if read(id) then return { '', evicted } end
for _, ended in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, 100)) do drop(ended) end
local names = totals(fact)
local rules = {
  { 'address', names[3], tonumber(ARGV[7]), '', fact.address },
  { 'application', names[2], tonumber(ARGV[8]), fact.client },
  { 'overall', names[1], tonumber(ARGV[9]), '' },
}
for _, rule in ipairs(rules) do
  local reached, name, budget, scope, address = rule[1], rule[2], rule[3], rule[4], rule[5]
  while tonumber(redis.call('HGET', bytes, name) or '0') + fact.size > budget do
    local from = address or redis.call('ZREVRANGE', busy(scope), 0, 0)[1]
    local oldest = from and redis.call('ZRANGE', old(scope, from), 0, 0)[1]
    if not oldest or #evicted >= most then return { reached, evicted } end
    drop(oldest)
    evicted[#evicted + 1] = oldest
  end
end
write(id, fact)
redis.call('ZADD', ends, now + seconds * 1000, id)
for _, name in ipairs(names) do redis.call('HINCRBY', bytes, name, fact.size) end
for _, key in ipairs({ facts, ends, bytes }) do redis.call('EXPIRE', key, kept) end
if fact.touched then return { '', evicted } end
for _, scope in ipairs({ '', fact.client }) do
  redis.call('ZINCRBY', busy(scope), fact.size, fact.address)
  redis.call('ZADD', old(scope, fact.address), now, id)
  for _, key in ipairs({ busy(scope), old(scope, fact.address) }) do redis.call('EXPIRE', key, kept) end
end
return { '', evicted }`;
const ADMIT = createScript(ADMIT_TEXT);
const ADMIT_EVEN_IF_FULL = createScript(EVEN_IF_FULL + ADMIT_TEXT);

const TOUCH = createScript(`${EVEN_IF_FULL}${COMMON}
local fact = read(ARGV[1])
if not fact or fact.touched then return 0 end
settle(ARGV[1], fact)
fact.touched = true
write(ARGV[1], fact)
redis.call('ZADD', ends, now + tonumber(ARGV[2]) * 1000, ARGV[1])
return 1`);

const REMOVE = createScript(`${EVEN_IF_FULL}${COMMON}
drop(ARGV[1])`);

export function createHalfOpenInRedis(redis: RedisClient, budgets: Budgets): HalfOpen {
  return {
    async admit(record) {
      const script = record.isTouched ? ADMIT_EVEN_IF_FULL : ADMIT;
      return admissionOf(await runScript(redis, script, KEY, ...argumentsOf(record, budgets)));
    },
    touch: async (id, seconds) => (await runScript(redis, TOUCH, KEY, id, seconds)) === 1,
    remove: async (id) => void (await runScript(redis, REMOVE, KEY, id)),
  };
}

function argumentsOf(record: HalfOpenRecord, budgets: Budgets): (string | number)[] {
  const { id, ipAddress, clientId, bytes, isTouched, seconds } = record;
  return [
    ...[id, ipAddress, clientId, bytes, isTouched ? 1 : 0, seconds],
    ...[budgets.address, budgets.application, budgets.overall].map(Math.floor),
    halfOpenEvictions,
    // Whatever is counted wrongly ends with the last record that it could be about.
    2 * interactionSeconds,
  ];
}

function admissionOf(answer: unknown): Admission {
  if (!Array.isArray(answer))
    throw new TypeError('the script for half-open requests answered something else');
  const [reached, evicted] = answer;
  const isAdmitted = reached === '';
  return { isAdmitted, ...(!isAdmitted && { reached }), evicted };
}
