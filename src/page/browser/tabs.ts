// Runs in the browser: where tabs are wider than a phone, the current one is scrolled to, whichever way the language is
// written. Without it the row can be scrolled by hand.

for (const row of document.querySelectorAll('.tabs, [data-scrolls]')) {
  const current = row.querySelector<HTMLElement>('[aria-current]');
  if (current) row.scrollLeft += middleOf(current) - middleOf(row);
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
