// How statements leave on a connection to PostgreSQL: under a name, so that each connection parses and plans one once
// (the protocol prepares only what has a name, and the query builder gives none), and with the others of their moment.
import type pg from 'pg';
import { postgresPreparedParameters, postgresPreparedStatements } from '../limits/protocol.ts';
import { createQuery, packetOf, type Query } from './packet.ts';

export type NameOf = (text: string) => string | undefined;

/** The same text has the same name on every connection. What comes after the first few hundred texts has none. */
export function createStatementNames(): NameOf {
  const names = new Map<string, string>();
  return (text) => {
    if (!names.has(text) && names.size < postgresPreparedStatements) names.set(text, `s${names.size}`);
    return names.get(text);
  };
}

/** What asks for a promise leaves with what else is asked of this connection at this moment, and is answered with it. */
export function improveQueries(client: pg.ClientBase, nameOf: NameOf): void {
  const ask = gatherOn(client);
  const query = new Proxy(client.query, {
    apply(target, self, [statement, values, ...rest]: unknown[]) {
      if (!isStatement(statement)) return Reflect.apply(target, self, [statement, values, ...rest]);
      const config = named(statement, values, nameOf);
      if (rest.length > 0 || typeof values === 'function')
        return Reflect.apply(target, self, [config, values, ...rest]);
      return ask(config, Array.isArray(values) ? values : []);
    },
  });
  Object.assign(client, { query });
}

function gatherOn(client: pg.ClientBase) {
  const query = client.query.bind(client);
  let gathered: Query[] = [];
  const send = () => {
    const [first, ...others] = gathered;
    gathered = [];
    if (first) query(others.length > 0 ? packetOf([first, ...others]) : first);
  };
  return (config: string | pg.QueryConfig, values: unknown[]) =>
    new Promise((resolve, reject) => {
      if (gathered.length === 0) process.nextTick(send);
      gathered.push(
        createQuery(config, values, (error, result) => (error ? reject(error) : resolve(result))),
      );
    });
}

/**
 * What has no parameters is `begin`, `commit` or of one moment; what has many is a list of rows, whose text depends on
 * their number.
 */
function named(statement: string | pg.QueryConfig, values: unknown, nameOf: NameOf): string | pg.QueryConfig {
  const count = Array.isArray(values) ? values.length : 0;
  const isNamed = isConfig(statement) && count > 0 && count <= postgresPreparedParameters;
  return isNamed ? { ...statement, name: nameOf(statement.text) } : statement;
}

function isStatement(config: unknown): config is string | pg.QueryConfig {
  return typeof config === 'string' || isConfig(config);
}

function isConfig(config: unknown): config is pg.QueryConfig {
  const hasText =
    typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string';
  // The driver's own queries have a text too, and are made already.
  return hasText && !('submit' in config);
}
