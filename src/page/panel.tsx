// A titled box of a page in company settings: what it is about, what can be done there, and its content.
import type { ComponentChildren } from 'preact';

export type PanelProps = {
  heading: string;
  lead?: ComponentChildren;
  /** Buttons beside the heading. */
  actions?: ComponentChildren;
  /** What is in it cannot be taken back. */
  danger?: boolean;
  children?: ComponentChildren;
};

export function Panel({ heading, lead, actions, danger, children }: PanelProps) {
  return (
    <section class={danger ? 'panel panel-danger' : 'panel'}>
      <div class="panel-head">
        <div class="panel-words">
          <h2>{heading}</h2>
          {lead && <p class="fine">{lead}</p>}
        </div>
        {actions && <div class="panel-actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
