// A short message about what just happened. Problems interrupt a screen reader, everything else waits its turn.
import type { ComponentChildren } from 'preact';

export type NoticeProps = { kind: 'problem' | 'success' | 'information'; children: ComponentChildren };

const shapes = {
  problem: 'M10 5.75v5.25m0 3.1v.15',
  success: 'M6 10.4l2.8 2.8L14.2 7.4',
  information: 'M10 9.25v5m0-8.1V6',
};

export function Notice({ kind, children }: NoticeProps) {
  const content = (
    <>
      <svg class="notice-icon" viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8.5" fill="none" stroke="currentColor" stroke-width="1.5" />
        <path
          d={shapes[kind]}
          fill="none"
          stroke="currentColor"
          stroke-width="1.75"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
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
