// Runs in the browser: shows the copy buttons of src/page/copyable.tsx and makes them copy. Without it the value can
// be selected by one click.

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const value = button.closest('.copyable')?.querySelector('[data-copy-value]');
  if (!value) continue;
  const name = button.dataset.copy ?? 'Copy';
  button.setAttribute('aria-label', name);
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await copy(value.textContent ?? '');
    if (!isCopied) getSelection()?.selectAllChildren(value);
    say(button, isCopied ? 'Copied' : 'Selected');
    setTimeout(() => say(button, 'Copy', name), 2000);
  });
}

/** Refused where the page is not secure, or the person does not allow it. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function say(button: HTMLButtonElement, text: string, name = text): void {
  button.textContent = text;
  button.setAttribute('aria-label', name);
}
