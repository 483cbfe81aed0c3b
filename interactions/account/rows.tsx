// A list of the account page: what something is, how it stands, and the way to change it.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../../src/page/icon.tsx';
import { accountPath } from './visit.ts';

export function Rows({ children }: { children: ComponentChildren }) {
  return <ul class="entries">{children}</ul>;
}

export type RowProps = {
  icon: IconName;
  name: string;
  children: ComponentChildren;
  /** Below `/account`. */
  path: string;
  action: string;
};

export function Row({ icon, name, children, path, action }: RowProps) {
  return (
    <li>
      <span class="row-icon">
        <Icon name={icon} />
      </span>
      <div class="row-words">
        <strong>{name}</strong>
        <span class="fine">{children}</span>
      </div>
      <a class="button button-quiet" href={accountPath(path)} aria-label={`${action}: ${name}`}>
        {action}
      </a>
    </li>
  );
}
