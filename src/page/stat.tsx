// Figures that are read first, each with its name and what to compare it with.
import type { ComponentChildren } from 'preact';

export function StatGrid({ children }: { children: ComponentChildren }) {
  return <dl class="stats">{children}</dl>;
}

export type StatProps = {
  name: string;
  figure: string;
  note?: ComponentChildren;
  /** Something is wrong. */
  bad?: boolean;
};

export function Stat({ name, figure, note, bad }: StatProps) {
  return (
    <div class={bad ? 'stat stat-bad' : 'stat'}>
      <dt>{name}</dt>
      <dd>
        <span class="stat-figure">{figure}</span>
        {note && <span class="stat-note">{note}</span>}
      </dd>
    </div>
  );
}
