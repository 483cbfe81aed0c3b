// A word about the state of something. Its colour repeats what the word says.
import type { ComponentChildren } from 'preact';

export type BadgeProps = { kind: 'good' | 'bad' | 'warning' | 'neutral'; children: ComponentChildren };

export function Badge({ kind, children }: BadgeProps) {
  return <span class={`badge badge-${kind}`}>{children}</span>;
}
