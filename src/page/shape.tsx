// The few line drawings of the pages. They repeat what the text beside them says, so screen readers skip them.
const outlines = {
  problem: 'M10 5.75v5.25m0 3.1v.15',
  success: 'M6 10.4l2.8 2.8L14.2 7.4',
  information: 'M10 9.25v5m0-8.1V6',
  waiting: 'M10 5.5V10l3 2',
};

export type ShapeName = keyof typeof outlines;

export function Shape({ name, class: className }: { name: ShapeName; class: string }) {
  return (
    <svg class={className} viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8.5" fill="none" stroke="currentColor" stroke-width="1.5" />
      <path
        d={outlines[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.75"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
