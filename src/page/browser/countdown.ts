// Runs in the browser: counts down until a new code can be requested (interactions/code-page.tsx), with its button
// disabled until then. Without it the page says the time once, and the button asks the server.

for (const area of document.querySelectorAll<HTMLElement>('[data-countdown]')) count(area);

function count(area: HTMLElement): void {
  const endsAt = Date.now() + Number(area.dataset.countdown) * 1000;
  const button = area.querySelector<HTMLButtonElement>('form button');
  const left = area.querySelector<HTMLElement>('[data-countdown-left]');
  if (!button || !left) return;
  button.disabled = true;
  const timer = setInterval(tick, 1000);

  function tick(): void {
    const seconds = Math.ceil((endsAt - Date.now()) / 1000);
    if (left && seconds > 0) left.textContent = clockTime(seconds);
    if (seconds > 0) return;
    clearInterval(timer);
    if (button) button.disabled = false;
    area.querySelector('[data-countdown-text]')?.remove();
  }
}

function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
