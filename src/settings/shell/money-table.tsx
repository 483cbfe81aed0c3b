// Tables of amounts: figures stand under their heading, and a table of few columns fits on a phone as it is.
import type { ComponentChildren } from 'preact';
import { DataTable, type DataTableProps } from '../../page/table.tsx';

export function NarrowTable(props: DataTableProps) {
  return (
    <div class="narrow-table">
      <DataTable narrow {...props} />
    </div>
  );
}

export function NumberHead({ children }: { children: ComponentChildren }) {
  return <span class="number">{children}</span>;
}
