// Runs in the browser: loads a page again every few seconds while it is looked at and nothing on it is in use, so that
// what arrived is seen (interactions/development-inbox-pages.tsx). Without it there is a link to do so.

const EVERY_MILLISECONDS = 3_000;

setInterval(() => {
  const isInUse = document.activeElement !== document.body || getSelection()?.isCollapsed === false;
  if (!document.hidden && !isInUse) location.reload();
}, EVERY_MILLISECONDS);
