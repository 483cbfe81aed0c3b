// Runs in the browser: where tabs are wider than a phone, the current one is scrolled to. Without it the row can be
// scrolled by hand.

for (const row of document.querySelectorAll('.tabs, [data-scrolls]')) {
  const current = row.querySelector<HTMLElement>('[aria-current]');
  if (!current) continue;
  const middle = current.offsetLeft + current.offsetWidth / 2;
  row.scrollLeft = middle - row.clientWidth / 2;
}
