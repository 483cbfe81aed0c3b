// Colours, type and the two layouts (card, wide). Light and dark follow the system; every text colour has a
// contrast of at least 4.5 on its background, every border of a control at least 3.
export const lightColours = `  --ground: #f4f5f8;
  --surface: #ffffff;
  --surface-raised: #f7f8fa;
  --line: #e3e5eb;
  --control-line: #8b91a0;
  --button-line: #cdd1da;
  --text: #14161b;
  --text-soft: #565c6b;
  --accent: #3451d1;
  --accent-hover: #2a43b4;
  --accent-text: #3451d1;
  --on-accent: #ffffff;
  --focus: #3451d1;
  --halo: rgba(52, 81, 209, 0.18);
  --problem: #a3202a;
  --problem-ground: #fdf1f1;
  --problem-line: #f0c4c6;
  --final: #b42331;
  --final-hover: #951c28;
  --success: #14653a;
  --success-ground: #eef8f2;
  --success-line: #b9dfc9;
  --warning: #7a4a00;
  --warning-ground: #fdf6e7;
  --warning-line: #ecd6a5;
  --neutral-ground: #eef0f4;
  --part-0: #3451d1;
  --part-1: #c26a00;
  --part-2: #56606f;
  --shadow: 0 1px 2px rgba(20, 22, 27, 0.05), 0 12px 32px -12px rgba(20, 22, 27, 0.14);`;

export const darkColours = `  --ground: #0c0d10;
  --surface: #16181d;
  --surface-raised: #1d2027;
  --line: #2a2e37;
  --control-line: #747c8e;
  --button-line: #3b414d;
  --text: #f0f1f4;
  --text-soft: #a5acba;
  --accent: #4f6bea;
  --accent-hover: #4560df;
  --accent-text: #9db0ff;
  --on-accent: #ffffff;
  --focus: #9db0ff;
  --halo: rgba(125, 148, 255, 0.28);
  --problem: #ffb0b0;
  --problem-ground: #2a1618;
  --problem-line: #56292d;
  --final: #c23a46;
  --final-hover: #ad303c;
  --success: #94dfb4;
  --success-ground: #12241a;
  --success-line: #234a34;
  --warning: #f2c879;
  --warning-ground: #2a2112;
  --warning-line: #54431f;
  --neutral-ground: #262a33;
  --part-0: #8ea2ff;
  --part-1: #f0a848;
  --part-2: #99a1b0;
  --shadow: 0 1px 2px rgba(0, 0, 0, 0.4), 0 16px 40px -16px rgba(0, 0, 0, 0.7);`;

export const themeStyles = `
:root {
  color-scheme: light dark;
${lightColours}
}
@media screen and (prefers-color-scheme: dark) {
  :root {
${darkColours}
  }
}
*, *::before, *::after { box-sizing: border-box; }
/* Whatever layout a class gives: what only a script can use is not there without one. */
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  background: var(--ground);
  color: var(--text);
  font: 400 1rem/1.5 system-ui, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Helvetica Neue", Arial, sans-serif;
  -webkit-font-smoothing: antialiased;
}
h1, h2, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.015em; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; line-height: 1.35; font-weight: 600; overflow-wrap: anywhere; }
a { color: var(--accent-text); font-weight: 500; text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, pre { font-family: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.875em; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }

.stage { display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 1.5rem; min-height: 100vh; min-height: 100dvh; padding: 2.5rem 1rem; }
.card { width: 100%; max-width: 26.5rem; padding: 2.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow); }
.card-head { display: flex; flex-direction: column; align-items: flex-start; gap: 0.375rem; margin-bottom: 1.75rem; }
.card-head .mark, .card-head .symbol { margin-bottom: 1.125rem; }
.card-head:last-child { margin-bottom: 0; }
.lead { color: var(--text-soft); overflow-wrap: anywhere; }
.lead strong { color: var(--text); font-weight: 600; }
.card-foot { margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); display: flex; flex-direction: column; align-items: center; gap: 0.25rem; text-align: center; font-size: 0.9375rem; color: var(--text-soft); }
.card-foot:has(.button) { margin-bottom: -1.25rem; padding-top: 1rem; }
.card-foot > .meta { width: 100%; text-align: start; grid-template-columns: 1fr; }
.card-foot > .meta dd + dt { margin-top: 0.5rem; }
.stack { display: flex; flex-direction: column; gap: 1.125rem; }
.stack-tight { display: flex; flex-direction: column; gap: 0.625rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1.25rem; }
.fine { font-size: 0.875rem; line-height: 1.5; color: var(--text-soft); overflow-wrap: anywhere; }
.centered { text-align: center; }

.mark { width: 3.5rem; height: 3.5rem; border-radius: 0.875rem; object-fit: contain; background: var(--surface); border: 1px solid var(--line); display: block; }
.monogram { display: grid; place-items: center; border: 0; font-size: 1.375rem; font-weight: 650; color: #ffffff; background: #3451d1; }
.monogram-1 { background: #8a3ab0; }
.monogram-2 { background: #0d6f63; }
.monogram-3 { background: #a6480f; }
.monogram-4 { background: #b02a5b; }
.monogram-5 { background: #44506a; }

.symbol { width: 3rem; height: 3rem; padding: 0.625rem; border-radius: 50%; color: var(--text-soft); background: var(--surface-raised); border: 1px solid var(--line); }
.symbol-success { color: var(--success); background: var(--success-ground); border-color: var(--success-line); }
.symbol-problem { color: var(--problem); background: var(--problem-ground); border-color: var(--problem-line); }

.wide { max-width: 60rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; display: flex; flex-direction: column; gap: 1.75rem; }
.wide-head { display: flex; flex-direction: column; gap: 0.5rem; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 0.875rem; padding: 1.5rem; display: flex; flex-direction: column; gap: 1rem; }
.panel pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border-radius: 0.625rem; background: var(--surface-raised); border: 1px solid var(--line); }

@media (max-width: 30rem) {
  body { background: var(--surface); }
  .stage { justify-content: flex-start; padding: 0 0 1.5rem; gap: 0.5rem; }
  .card { max-width: none; padding: 2rem 1.25rem 1.25rem; border: 0; border-radius: 0; box-shadow: none; }
  .wide { padding: 2rem 1rem 3rem; }
  .meta.meta { grid-template-columns: 1fr; }
  .meta dd + dt { margin-top: 0.5rem; }
  .panel { padding: 1.125rem; background: var(--surface-raised); }
}
@media (prefers-reduced-motion: no-preference) {
  .button, .input { transition: background-color 120ms ease, border-color 120ms ease, box-shadow 120ms ease; }
}
@media print {
  :root { color-scheme: light; }
  body { background: #ffffff; }
  .card { border: 0; box-shadow: none; }
  .languages, .button { display: none; }
}
`;
