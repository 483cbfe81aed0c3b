// A short message about what just happened. Problems interrupt a screen reader, everything else waits its turn.
import type { ComponentChildren } from 'preact';
import { Shape } from './shape.tsx';

export type NoticeProps = {
  kind: 'problem' | 'success' | 'information' | 'warning';
  children: ComponentChildren;
};

export function Notice({ kind, children }: NoticeProps) {
  const content = (
    <>
      <Shape name={kind === 'warning' ? 'problem' : kind} class="notice-icon" />
      <span>{children}</span>
    </>
  );
  if (kind === 'problem') {
    return (
      <div class="notice notice-problem" role="alert">
        {content}
      </div>
    );
  }
  return <output class={`notice notice-${kind}`}>{content}</output>;
}
