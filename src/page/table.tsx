// Tables of company settings: wider than a phone, they scroll inside themselves and the page stays where it is.
import type { ComponentChildren } from 'preact';

export type DataTableProps = {
  /** Said by screen readers; the heading above it says the same to everybody else. */
  caption: string;
  /** An empty one is a column of buttons. */
  head: ComponentChildren[];
  /** Many columns, or long words in them: on a phone it scrolls further instead of growing taller. */
  wide?: boolean;
  /** `<tr>` elements. */
  children: ComponentChildren;
};

export function DataTable({ caption, head, wide, children }: DataTableProps) {
  return (
    // Whoever has only a keyboard must be able to scroll it.
    // The role and name are what screen readers say when it takes the focus.
    <section class="scroll" aria-label={caption} {...focusable}>
      <table class={wide ? 'table data-table data-table-wide' : 'table data-table'}>
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
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

const focusable = { tabIndex: 0 };
