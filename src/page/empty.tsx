// What stands where a list would be: why there is nothing yet, and how to begin.
import type { ComponentChildren } from 'preact';

export type EmptyStateProps = { heading: string; children?: ComponentChildren };

export function EmptyState({ heading, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <p class="empty-heading">{heading}</p>
      {children}
    </div>
  );
}
