// Runs in the browser: the preview of an application's look follows what is typed and chosen before it is saved. Colours
// come as a style sheet from our own server, which alone knows how to make them readable. Without it the preview shows
// what is saved.

const PAUSE_MILLISECONDS = 150;
const styles = document.querySelector<HTMLLinkElement>('link[data-preview-styles]');
const form = document.querySelector<HTMLFormElement>('form:has([data-previewed])');
if (styles && form) follow(form, styles);

function follow(typed: HTMLFormElement, sheet: HTMLLinkElement): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  typed.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) showText(target);
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const next = sheetFor(typed, sheet);
      if (sheet.href !== next) sheet.href = next;
    }, PAUSE_MILLISECONDS);
  });
  // After the field itself has let go of what cannot be taken (drop.ts).
  typed.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'file') showPicture(target);
  });
}

function sheetFor(typed: HTMLFormElement, sheet: HTMLLinkElement): string {
  const url = new URL(sheet.href);
  const values = new FormData(typed);
  for (const name of ['accent', 'background', 'corners'])
    url.searchParams.set(name, String(values.get(name) ?? ''));
  return url.href;
}

function showText({ name, value }: HTMLInputElement): void {
  const text = value.trim();
  for (const link of document.querySelectorAll<HTMLElement>(`[data-preview-link="${name}"]`))
    link.hidden = text === '';
  if (name === 'sender_name')
    for (const place of document.querySelectorAll<HTMLElement>('[data-preview-sender]'))
      place.textContent = text || (place.dataset.previewSender ?? '');
  if (name === 'name') showName(text);
}

function showName(name: string): void {
  for (const place of document.querySelectorAll('[data-preview-name]')) place.textContent = name;
  const [initial = '·'] = name.toLocaleUpperCase();
  for (const mark of document.querySelectorAll('.preview-stage .monogram')) mark.textContent = initial;
}

/** What stands there without a chosen file, by the picture that took its place. */
const saved = new Map<Element, Element>();

/** The one for the dark stands in the dark preview only. */
function showPicture({ name, files }: HTMLInputElement): void {
  const file = files?.[0];
  const where = name === 'logo_dark' ? '.look-dark' : '.preview-stage';
  for (const mark of document.querySelectorAll(`${where} .mark`)) {
    const before = saved.get(mark) ?? mark;
    saved.delete(mark);
    const next = file ? pictureOf(file) : before;
    if (file) saved.set(next, before);
    mark.replaceWith(next);
  }
}

function pictureOf(file: File): HTMLImageElement {
  const picture = new Image(56, 56);
  picture.className = 'mark';
  picture.alt = '';
  picture.src = URL.createObjectURL(file);
  return picture;
}
