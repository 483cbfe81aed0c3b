// Runs in the browser: the button that sent a form says that it is at work, and a second click sends nothing. Without it
// forms work as well; the service itself does nothing twice.

document.addEventListener('submit', ({ target, submitter }) => {
  if (!(target instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement)) return;
  // A file comes, and no page after this one would make its button ready again.
  if ('downloads' in target.dataset) return;
  // After the browser has read the form: a disabled button's own value would be missing.
  setTimeout(() => {
    target.setAttribute('aria-busy', 'true');
    submitter.setAttribute('aria-disabled', 'true');
    submitter.classList.add('button-busy');
  });
});

document.addEventListener(
  'click',
  (event) => {
    if (event.target instanceof Element && event.target.closest('.button-busy')) event.preventDefault();
  },
  true,
);

/** Back to a page that the browser has kept: its form can be sent again. */
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('.button-busy')) {
    button.classList.remove('button-busy');
    button.removeAttribute('aria-disabled');
  }
});
