// Names for statements, so that each connection to PostgreSQL parses and plans one once: the protocol prepares only
// what has a name, and the query builder gives none.
import type pg from 'pg';
import { postgresPreparedParameters, postgresPreparedStatements } from './limits.ts';

export type NameOf = (text: string) => string | undefined;

/** The same text has the same name on every connection. What comes after the first few hundred texts has none. */
export function createStatementNames(): NameOf {
  const names = new Map<string, string>();
  return (text) => {
    if (!names.has(text) && names.size < postgresPreparedStatements) names.set(text, `s${names.size}`);
    return names.get(text);
  };
}

/**
 * What has no parameters is `begin`, `commit` or of one moment; what has many is a list of rows, whose text depends on
 * their number.
 */
export function prepareStatements(client: pg.ClientBase, nameOf: NameOf): void {
  const query = new Proxy(client.query, {
    apply: (target, self, [config, values, ...rest]: unknown[]) => {
      const count = Array.isArray(values) ? values.length : 0;
      const isNamed = hasText(config) && count > 0 && count <= postgresPreparedParameters;
      const named = isNamed ? { ...config, name: nameOf(config.text) } : config;
      return Reflect.apply(target, self, [named, values, ...rest]);
    },
  });
  Object.assign(client, { query });
}

function hasText(config: unknown): config is { text: string } {
  return typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string';
}
