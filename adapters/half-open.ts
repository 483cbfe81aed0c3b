// Authorization requests that wait for a person, counted in bytes by network address, by application and in all, so that
// a stranger's cost is bounded. Where a budget is reached, the oldest one that nobody has typed anything into goes, from
// the address that has most; what somebody has typed into never goes for another. One process counts here, several that
// share a Redis in half-open-redis.ts: both do the same.
import { halfOpenEvictions } from '../src/limits/strangers.ts';

export type HalfOpenRecord = {
  /** Any name that its store finds it by. */
  id: string;
  /** ipAddressKey */
  ipAddress: string;
  clientId: string;
  bytes: number;
  /** The person has typed something, here or on the page before. */
  isTouched: boolean;
  seconds: number;
};

export type Budgets = { address: number; application: number; overall: number };

/** `evicted`: whose records the caller deletes. */
export type Admission = { isAdmitted: boolean; reached?: keyof Budgets; evicted: string[] };

export type HalfOpen = {
  /** One that is known already keeps its place. */
  admit(record: HalfOpenRecord): Promise<Admission>;
  /** It will not go for another any more. @returns whether that is new */
  touch(id: string, seconds: number): Promise<boolean>;
  remove(id: string): Promise<void>;
};

type Entry = HalfOpenRecord & { endsAt: number };

export function createHalfOpenInMemory(budgets: Budgets, now = () => Date.now()): HalfOpen {
  const entries = new Map<string, Entry>();
  const bytes = new Map<string, number>();
  /** Untouched ones: by scope, by address in it, oldest first. */
  const untouched = new Map<string, Map<string, Set<string>>>();

  const add = (name: string, count: number) => {
    const sum = (bytes.get(name) ?? 0) + count;
    if (sum > 0) bytes.set(name, sum);
    else bytes.delete(name);
  };
  const settle = (entry: Entry) => {
    for (const scope of scopesOf(entry)) {
      const ipAddresses = untouched.get(scope);
      const ids = ipAddresses?.get(entry.ipAddress);
      if (!ids?.delete(entry.id)) continue;
      add(`untouched ${scope} ${entry.ipAddress}`, -entry.bytes);
      if (ids.size === 0) ipAddresses?.delete(entry.ipAddress);
      if (ipAddresses?.size === 0) untouched.delete(scope);
    }
  };
  const drop = (id: string) => {
    const entry = entries.get(id);
    if (!entry) return;
    settle(entry);
    entries.delete(id);
    for (const name of totalsOf(entry)) add(name, -entry.bytes);
  };
  const dropEnded = () => {
    for (const { id, endsAt } of entries.values()) if (endsAt <= now()) drop(id);
  };
  const busiest = (scope: string) => {
    const ipAddresses = [...(untouched.get(scope)?.keys() ?? [])];
    const weight = (ipAddress: string) => bytes.get(`untouched ${scope} ${ipAddress}`) ?? 0;
    return ipAddresses.reduce(
      (most, each) => (weight(each) > weight(most) ? each : most),
      ipAddresses[0] ?? '',
    );
  };
  const insert = (record: HalfOpenRecord) => {
    const entry = { ...record, endsAt: now() + record.seconds * 1000 };
    entries.set(record.id, entry);
    for (const name of totalsOf(record)) add(name, record.bytes);
    if (record.isTouched) return;
    for (const scope of scopesOf(record)) {
      const ipAddresses = untouched.get(scope) ?? new Map<string, Set<string>>();
      untouched.set(scope, ipAddresses);
      ipAddresses.set(record.ipAddress, (ipAddresses.get(record.ipAddress) ?? new Set()).add(record.id));
      add(`untouched ${scope} ${record.ipAddress}`, record.bytes);
    }
  };

  return {
    async admit(record) {
      const evicted: string[] = [];
      if (entries.has(record.id)) return { isAdmitted: true, evicted };
      dropEnded();
      const [overall, application, address] = totalsOf(record);
      const rules = [
        { reached: 'address', total: address, scope: ALL, from: () => record.ipAddress },
        { reached: 'application', total: application, scope: record.clientId, from: busiest },
        { reached: 'overall', total: overall, scope: ALL, from: busiest },
      ] as const;
      for (const { reached, total, scope, from } of rules) {
        while ((bytes.get(total) ?? 0) + record.bytes > budgets[reached]) {
          const [oldest] = untouched.get(scope)?.get(from(scope)) ?? [];
          if (oldest === undefined || evicted.length >= halfOpenEvictions)
            return { isAdmitted: false, reached, evicted };
          drop(oldest);
          evicted.push(oldest);
        }
      }
      insert(record);
      return { isAdmitted: true, evicted };
    },
    async touch(id, seconds) {
      const entry = entries.get(id);
      if (!entry || entry.isTouched) return false;
      settle(entry);
      entries.set(id, { ...entry, isTouched: true, endsAt: now() + seconds * 1000 });
      return true;
    },
    async remove(id) {
      drop(id);
    },
  };
}

const ALL = '';

/** Where the busiest address is looked for. */
function scopesOf({ clientId }: HalfOpenRecord): [string, string] {
  return [ALL, clientId];
}

function totalsOf({ clientId, ipAddress }: HalfOpenRecord): [string, string, string] {
  return ['overall', `application ${clientId}`, `address ${ipAddress}`];
}
