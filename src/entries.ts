// `Object.entries` for a record that has no names but those of its type: what is read keeps its name's type.

export function entriesOf<K extends string, V>(record: Record<K, V>): [K, V][] {
  return Object.entries(record) as [K, V][];
}
