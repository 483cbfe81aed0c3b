// How statements leave on a connection to PostgreSQL: under a name, so that each connection parses and plans one once
// (the protocol prepares only what has a name, and the query builder gives none), and with the others of their moment.
import type { Socket } from 'node:net';
import type pg from 'pg';
import { postgresPreparedParameters, postgresPreparedStatements } from '../limits/stores.ts';

export type NameOf = (text: string) => string | undefined;

/** The same text has the same name on every connection. What comes after the first few hundred texts has none. */
export function createStatementNames(): NameOf {
  const names = new Map<string, string>();
  return (text) => {
    if (!names.has(text) && names.size < postgresPreparedStatements) names.set(text, `s${names.size}`);
    return names.get(text);
  };
}

/** @param socket the connection's. */
export function improveQueries(
  client: pg.ClientBase,
  { nameOf, socket }: { nameOf: NameOf; socket: Socket | undefined },
): void {
  const gather = socket && gatherOn(socket);
  const query = new Proxy(client.query, {
    apply(target, self, [config, values, ...rest]: unknown[]) {
      gather?.();
      return Reflect.apply(target, self, [named(config, values, nameOf), values, ...rest]);
    },
  });
  Object.assign(client, { query });
}

/** Statements of one moment leave in one packet, so that the server wakes up once for them. */
function gatherOn(socket: Socket): () => void {
  let isCorked = false;
  const send = () => {
    isCorked = false;
    socket.uncork();
  };
  return () => {
    if (isCorked) return;
    isCorked = true;
    socket.cork();
    process.nextTick(send);
  };
}

/**
 * What has no parameters is `begin`, `commit` or of one moment; what has many is a list of rows, whose text depends on
 * their number.
 */
function named(config: unknown, values: unknown, nameOf: NameOf): unknown {
  const count = Array.isArray(values) ? values.length : 0;
  const isNamed = hasText(config) && count > 0 && count <= postgresPreparedParameters;
  return isNamed ? { ...config, name: nameOf(config.text) } : config;
}

function hasText(config: unknown): config is { text: string } {
  return typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string';
}
