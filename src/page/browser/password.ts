// Runs in the browser: shows what stands in a password field when its button is pressed, and says of a new password how
// it stands by its length and variety. The server knows dictionaries and decides; nothing of the password leaves the page.

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-reveal]')) {
  const input = button.parentElement?.querySelector('input');
  if (!input) continue;
  const { ariaLabel: show } = button;
  button.hidden = false;
  const turn = (isShown: boolean) => {
    input.type = isShown ? 'text' : 'password';
    button.ariaPressed = String(isShown);
    button.title = (isShown ? button.dataset.reveal : show) ?? '';
  };
  button.addEventListener('click', () => turn(input.type === 'password'));
  // Sent as a password again, so that password managers and the browser's own history know what it is.
  input.form?.addEventListener('submit', () => turn(false));
}

for (const words of document.querySelectorAll<HTMLElement>('[data-strength]')) {
  const input = words.closest('.field')?.querySelector('input');
  input?.addEventListener('input', () => say(words, input.value));
}

function say(words: HTMLElement, password: string): void {
  const missing = Number(words.dataset.strength) - [...password].length;
  words.hidden = password === '';
  if (missing > 0) tell(words, 'short', words.dataset.short?.replace('{n}', String(missing)));
  else if (isGuessable(password)) tell(words, 'guessable', words.dataset.guessable);
  else tell(words, 'good', words.dataset.good);
}

function tell(words: HTMLElement, level: string, text = ''): void {
  words.dataset.level = level;
  // Only when it has changed: a screen reader would say it at every key.
  if (words.textContent !== text) words.textContent = text;
}

const DIFFERENT_CHARACTERS = 7;
const DIFFERENT_PAIRS = 0.6;

/** One thing over and over, or in the order of the alphabet. */
function isGuessable(password: string): boolean {
  const letters = [...password.toLowerCase()];
  const pairs = letters.slice(1).map((letter, place) => `${letters[place]}${letter}`);
  const inOrder = pairs.filter((pair) => Math.abs(pair.charCodeAt(0) - pair.charCodeAt(1)) <= 1);
  return (
    new Set(letters).size < DIFFERENT_CHARACTERS ||
    new Set(pairs).size < pairs.length * DIFFERENT_PAIRS ||
    inOrder.length > pairs.length / 2
  );
}
