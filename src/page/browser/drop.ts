// Runs in the browser: turns the file fields of src/page/file-field.tsx into places to drop a picture on, with a look at what
// was chosen. Without it they are the browser's own. What is sent is judged by the server alone.

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-drop]')) {
  const place = field.closest<HTMLElement>('.drop');
  if (place) enable(field, place);
}

function enable(field: HTMLInputElement, place: HTMLElement): void {
  const picture = place.querySelector('img');
  const face = place.querySelector<HTMLElement>('.drop-face');
  const clear = place.querySelector<HTMLButtonElement>('.drop-clear');
  const words = place.querySelector<HTMLElement>('[data-drop-name]');
  if (!picture || !face || !clear || !words) return;
  const before = picture.getAttribute('src');
  face.hidden = false;
  place.classList.add('drop-on');
  for (const [event, isOver] of [
    ['dragenter', true],
    ['dragover', true],
    ['dragleave', false],
    ['drop', false],
  ] as const)
    field.addEventListener(event, () => place.classList.toggle('drop-over', isOver));
  field.addEventListener('change', () => {
    const refusal = refusalOf(field);
    if (refusal) field.value = '';
    const file = field.files?.[0];
    place.classList.toggle('drop-refused', refusal !== undefined);
    words.textContent = refusal ?? (file ? `${file.name} · ${sizeOf(file)}` : '');
    clear.hidden = !file;
    show(picture, file ? URL.createObjectURL(file) : before);
  });
  clear.addEventListener('click', () => {
    field.value = '';
    field.dispatchEvent(new Event('change', { bubbles: true }));
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  });
}

function show(picture: HTMLImageElement, url: string | null): void {
  picture.hidden = url === null;
  if (url === null) picture.removeAttribute('src');
  else picture.src = url;
}

/** A drop asks nobody for the kinds that the field names. */
function refusalOf({ files, accept, dataset }: HTMLInputElement): string | undefined {
  const file = files?.[0];
  if (!file) return undefined;
  const isTaken = accept.split(',').includes(file.type) && file.size <= Number(dataset.drop);
  return isTaken ? undefined : dataset.dropRefusal;
}

function sizeOf({ size }: File): string {
  return size < 1024 ? `${size} bytes` : `${Math.ceil(size / 1024)} KiB`;
}
