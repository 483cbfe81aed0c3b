// Tables of company settings: too wide for its place, one scrolls inside itself and the page stays where it is. On a
// phone each row is a card, whose cells say what they are with the words of the head.
import { type ComponentChildren, cloneElement, isValidElement, toChildArray, type VNode } from 'preact';

export type DataTableProps = {
  /** Said by screen readers; the heading above it says the same to everybody else. */
  caption: string;
  /** An empty one is a column of buttons. */
  head: ComponentChildren[];
  /** Many columns, or long words in them: it scrolls further instead of growing taller. */
  wide?: boolean;
  /** Few short columns: on a phone it stays a table. */
  narrow?: boolean;
  /** `<tr>` elements, or components that are one. */
  children: ComponentChildren;
};

export function DataTable({ caption, head, wide, narrow, children }: DataTableProps) {
  const looks = ['table data-table', wide && 'data-table-wide', !narrow && 'data-table-cards'];
  const labels = head.map(wordsOf);
  return (
    // Whoever has only a keyboard must be able to scroll it.
    // The role and name are what screen readers say when it takes the focus.
    <section class="scroll" aria-label={caption} {...focusable}>
      <table class={looks.filter(Boolean).join(' ')}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {head.map((title, column) => (
              <th key={column} scope="col">
                {title || <span class="unseen">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{narrow ? children : toChildArray(children).map((row) => labelled(row, labels))}</tbody>
      </table>
    </section>
  );
}

const focusable = { tabIndex: 0 };

type Child = ReturnType<typeof toChildArray>[number];
type WithChildren = { children?: ComponentChildren };

/** A row may be a component: those of tables are plain functions of their properties. */
function labelled(child: Child, labels: string[]): Child {
  if (!isValidElement(child)) return child;
  const row = rowOf(child);
  const cells = toChildArray((row.props as WithChildren).children).map((cell, column) =>
    isValidElement(cell) ? cloneElement(cell as VNode<object>, { 'data-label': labels[column] ?? '' }) : cell,
  );
  return cloneElement(row, undefined, cells);
}

function rowOf(row: VNode): VNode {
  if (typeof row.type !== 'function') return row;
  const component = row.type as (props: object) => ComponentChildren;
  const inner = component(row.props);
  return isValidElement(inner) ? rowOf(inner) : row;
}

function wordsOf(title: ComponentChildren): string {
  if (isValidElement(title))
    return toChildArray((title.props as WithChildren).children)
      .map(wordsOf)
      .join('');
  return typeof title === 'string' || typeof title === 'number' ? String(title) : '';
}
