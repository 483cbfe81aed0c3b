// Names and values, one pair a line.
import type { ComponentChildren } from 'preact';

export type FactsProps = { facts: [name: string, value: ComponentChildren][] };

export function Facts({ facts }: FactsProps) {
  return (
    <dl class="meta">
      {facts.flatMap(([name, value]) => [
        <dt key={`${name} name`}>{name}</dt>,
        <dd key={`${name} value`}>{value}</dd>,
      ])}
    </dl>
  );
}
