// What REDIS_URL says: one server or a Cluster, with or without TLS, and what stands in front of every key.

export type RedisLocation = {
  host: string;
  port: number;
  username: string | undefined;
  password: string | undefined;
  database: number;
  isTls: boolean;
  isCluster: boolean;
  /** In front of every key, so that several services can share one Redis. */
  prefix: string;
};

/** `redis[s]://[user:password@]host[:port][/database][?cluster=true][&prefix=text]`. @throws TypeError */
export function parseRedisUrl(url: string): RedisLocation {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(url);
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new TypeError('a Redis address starts with redis://');
  if (hostname === '') throw new TypeError('a Redis address names a host');
  const database = pathname.slice(1) || '0';
  if (!/^\d{1,3}$/.test(database))
    throw new TypeError('the path of a Redis address is the number of a database');
  for (const name of searchParams.keys()) {
    if (name !== 'cluster' && name !== 'prefix') throw new TypeError(`a Redis address has no option ${name}`);
  }
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    database: Number(database),
    isTls: protocol === 'rediss:',
    isCluster: searchParams.get('cluster') === 'true',
    prefix: searchParams.get('prefix') ?? 'tollgate:',
  };
}

export function isRedisUrl(url: string): boolean {
  try {
    parseRedisUrl(url);
    return true;
  } catch {
    return false;
  }
}
