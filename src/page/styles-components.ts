// Controls and notices. Everything that can be pressed is at least 44 px high (WCAG 2.5.5).
export const componentStyles = `
.field { display: flex; flex-direction: column; gap: 0.375rem; }
.label { font-size: 0.9375rem; font-weight: 550; display: flex; justify-content: space-between; gap: 0.75rem; }
.label-note { font-weight: 400; color: var(--text-soft); font-size: 0.875rem; }
.input { width: 100%; min-height: 2.875rem; padding: 0.5rem 0.875rem; font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--control-line); border-radius: 0.625rem; }
.input::placeholder { color: var(--text-soft); opacity: 1; }
.input:hover { border-color: var(--text-soft); }
.input:focus { border-color: var(--focus); outline: 2px solid transparent; box-shadow: 0 0 0 3px var(--halo); border-radius: 0.625rem; }
.input[aria-invalid="true"] { border-color: var(--problem); }
.input[readonly] { background: var(--surface-raised); color: var(--text-soft); }
.input-code { font-family: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 1.625rem; font-weight: 600; letter-spacing: 0.35em; text-align: center; min-height: 3.75rem; padding-inline-start: 1.2em; }
.reveal { position: relative; }
.reveal:has(> .reveal-button:not([hidden])) > .input { padding-inline-end: 3.25rem; }
.reveal-button { position: absolute; inset-block: 1px; inset-inline-end: 1px; width: 2.75rem; display: grid; place-items: center; padding: 0; border: 0; border-radius: 0.625rem; background: none; color: var(--text-soft); cursor: pointer; }
.reveal-button:hover { color: var(--text); }
.reveal-button:focus-visible { outline-offset: -3px; }
.reveal-button[aria-pressed="false"] .reveal-line { display: none; }
.input::-ms-reveal { display: none; }
.strength { display: flex; align-items: center; gap: 0.625rem; font-size: 0.875rem; line-height: 1.45; color: var(--warning); }
.strength::before { content: ""; flex: none; width: 3.5rem; height: 0.375rem; border-radius: 0.25rem; background: linear-gradient(currentColor, currentColor) 0 / 33% 100% no-repeat var(--line); }
.strength[data-level="guessable"]::before { background-size: 66% 100%; }
.strength[data-level="good"] { color: var(--success); }
.strength[data-level="good"]::before { background-size: 100% 100%; }
.field-problem { font-size: 0.875rem; line-height: 1.45; color: var(--problem); font-weight: 500; }

.button { display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; width: 100%; min-height: 2.875rem; padding: 0.5rem 1.25rem; font: inherit; font-weight: 600; line-height: 1.3; text-align: center; text-decoration: none; border-radius: 0.625rem; border: 1px solid transparent; cursor: pointer; -webkit-appearance: none; appearance: none; overflow-wrap: anywhere; }
.button:disabled { cursor: default; opacity: 0.55; }
.button:focus-visible { outline: 2px solid var(--focus); outline-offset: 3px; border-radius: 0.625rem; }
.button-primary { background: var(--accent); color: var(--on-accent); }
.button-primary:hover { background: var(--accent-hover); }
.button-secondary { background: var(--surface); color: var(--text); border-color: var(--button-line); }
.button-secondary:hover { background: var(--surface-raised); border-color: var(--text-soft); }
.button-quiet { width: auto; max-width: 100%; min-height: 2.75rem; padding: 0.25rem 0.375rem; font-size: 0.9375rem; font-weight: 500; background: none; color: var(--accent-text); }
.button-quiet:hover { text-decoration: underline; text-underline-offset: 0.2em; }
.button-quiet:focus-visible { outline-offset: 0; }
a.button-quiet { color: var(--accent-text); }
.button-soft { color: var(--text-soft); font-weight: 450; }
.button-soft:hover { color: var(--text); }
.pull { margin: -0.25rem -0.375rem; }
.hidden-submit { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0; padding: 0; margin: -1px; }

.more-ways { display: flex; flex-direction: column; gap: 0.625rem; margin-top: 0.625rem; }
.more-ways:not(:has(> :not([hidden]))) { display: none; }
.button-social { gap: 0.75rem; font-weight: 550; color: var(--text); }
.social-mark { flex: none; width: 1.125rem; height: 1.125rem; }
.button-apple, .button-apple:hover { background: var(--text); border-color: var(--text); color: var(--surface); }

.divider { display: flex; align-items: center; gap: 0.875rem; color: var(--text-soft); font-size: 0.875rem; }
.divider::before, .divider::after { content: ""; flex: 1; height: 1px; background: var(--line); }

.notice { display: flex; gap: 0.75rem; padding: 0.8125rem 0.9375rem; border-radius: 0.625rem; border: 1px solid var(--line); background: var(--surface-raised); font-size: 0.9375rem; line-height: 1.45; overflow-wrap: anywhere; }
.notice-problem { color: var(--problem); background: var(--problem-ground); border-color: var(--problem-line); }
.notice-success { color: var(--success); background: var(--success-ground); border-color: var(--success-line); }
.notice-icon { flex: none; width: 1.25rem; height: 1.25rem; margin-top: 0.06rem; }
.card > .notice { margin-bottom: 1.25rem; }

.facts { list-style: none; border: 1px solid var(--line); border-radius: 0.75rem; overflow: hidden; }
.facts > li { padding: 0.875rem 1rem; display: flex; flex-direction: column; gap: 0.0625rem; overflow-wrap: anywhere; }
.facts > li + li { border-top: 1px solid var(--line); }
.facts strong { font-weight: 600; font-size: 0.9375rem; }
.who { display: flex; align-items: center; justify-content: space-between; flex-wrap: wrap; gap: 0 1rem; padding-block: 0.375rem; padding-inline: 1rem 0.625rem; border-radius: 0.75rem; background: var(--surface-raised); overflow-wrap: anywhere; }
.who .button { margin-inline-start: -0.375rem; white-space: nowrap; }
.who form { flex: none; }
.who .fine { padding: 0.375rem 0; }

.brand-links { list-style: none; display: flex; flex-wrap: wrap; justify-content: center; gap: 0 1.25rem; padding-inline: 1rem; font-size: 0.875rem; }
.brand-links a { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--text-soft); font-weight: 450; }
.brand-links a:hover { color: var(--text); }
.languages { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 0.375rem; }
.language { min-height: 2.75rem; min-width: 2.75rem; padding: 0 0.625rem; font: inherit; font-size: 0.875rem; color: var(--text-soft); background: none; border: 0; border-radius: 0.5rem; cursor: pointer; display: inline-flex; align-items: center; justify-content: center; }
.language:hover { color: var(--text); text-decoration: underline; text-underline-offset: 0.2em; }
.language[aria-current="true"] { color: var(--text); font-weight: 600; }

.table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
.table th { text-align: start; font-weight: 600; }
.table th, .table td { padding: 0.625rem 0.75rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.meta { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; font-size: 0.9375rem; }
.meta dt { color: var(--text-soft); }
.meta dd { overflow-wrap: anywhere; }
`;
