// A person as the initials of their name: nothing is fetched for it. The name stands in text beside it.

export function Avatar({ name }: { name: string }) {
  return (
    <span class="avatar avatar-large" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** Of the first and the last word; of an address, its first letter. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('');
}
