// From one page of a list to the next: addresses, or undefined at its ends.

export type PagerProps = { newer: string | undefined; older: string | undefined };

export function Pager({ newer, older }: PagerProps) {
  if (!newer && !older) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {newer && (
        <a class="button button-secondary" href={newer} rel="prev">
          Newer
        </a>
      )}
      {older && (
        <a class="button button-secondary" href={older} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
