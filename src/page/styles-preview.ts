// The pages of one application in company settings: the sign-in page in miniature, in light and in dark whatever the
// system says, and the few things that only these pages have.
import { darkColours, lightColours } from './styles-theme.ts';

export const previewStyles = `
.look-light { color-scheme: light; ${lightColours} }
.look-dark { color-scheme: dark; ${darkColours} }
.previews { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1.25rem; }
.preview { display: flex; flex-direction: column; gap: 0.375rem; min-width: 0; }
.preview-stage { flex: 1; display: grid; place-items: center; padding: 1.75rem 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--ground); color: var(--text); user-select: none; -webkit-user-select: none; }
.preview-stage .card { padding: 1.75rem; border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow); }
.preview-stage .button { width: 100%; }
.preview-stage .button-quiet { width: auto; }
.preview-heading { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.015em; }
.badges { display: inline-flex; flex-wrap: wrap; gap: 0.375rem; vertical-align: middle; }
pre.copyable-value { tab-size: 4; }
.plain { list-style: none; display: flex; flex-direction: column; gap: 0.25rem; overflow-wrap: anywhere; }
.points { padding-inline-start: 1.25rem; display: flex; flex-direction: column; gap: 0.375rem; overflow-wrap: anywhere; }
.rows { gap: 0.75rem; }
.rows + .rows { margin-top: 0.75rem; }
.rows legend { font-size: 1.0625rem; font-weight: 600; margin-bottom: 0; }
.appearance { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.5rem; align-items: start; }
.appearance > .panel { position: sticky; top: 1.5rem; min-width: 0; }
.appearance .previews { grid-template-columns: 1fr; }
.appearance .stack { min-width: 0; }
.input-colour { width: 4.5rem; padding: 0.25rem; cursor: pointer; }
.input[type="file"] { border-style: dashed; cursor: pointer; }
.preview-link { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--text-soft); }
.preview-mail { justify-self: stretch; margin-top: 0.75rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface); display: flex; flex-direction: column; font-size: 0.9375rem; overflow-wrap: anywhere; }
.preview-mail .fine strong { color: var(--text); font-weight: 600; }
.drop { position: relative; display: flex; align-items: center; gap: 0.5rem; max-width: 34rem; }
.drop-on { min-height: 5.5rem; padding: 0.875rem 1rem; border: 1px dashed var(--control-line); border-radius: 0.75rem; background: var(--surface-raised); }
.drop-on:hover, .drop-over { border-color: var(--accent-text); }
.drop-over { background: var(--neutral-ground); }
.drop-on:has(> .input:focus-visible) { outline: 2px solid var(--focus); outline-offset: 2px; }
.drop-on > .input { position: absolute; inset: 0; height: 100%; max-width: none; opacity: 0; cursor: pointer; }
.drop-face { flex: 1; min-width: 0; display: flex; align-items: center; gap: 1rem; }
.drop-picture { flex: none; position: relative; display: grid; place-items: center; width: 3.5rem; height: 3.5rem; border-radius: 0.75rem; background: var(--neutral-ground); color: var(--text-soft); overflow: hidden; }
.drop-picture img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; background: var(--surface); }
.drop-words { min-width: 0; display: flex; flex-direction: column; font-size: 0.9375rem; overflow-wrap: anywhere; }
.drop-words .fine:empty { display: none; }
.drop-refused .fine { color: var(--problem); }
.drop-link { color: var(--accent-text); font-weight: 500; text-decoration: underline; text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
.drop-clear { position: relative; z-index: 1; flex: none; }
.inbox-mail { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 0.625rem; background: #ffffff; color-scheme: light dark; }
.inbox-code { flex: none; flex-direction: row; align-items: center; }
.inbox-code .copyable-value { padding: 0.375rem 0.75rem; font-size: 1.0625rem; font-weight: 600; letter-spacing: 0.1em; }
.inbox-code .copy { width: auto; }
@media (max-width: 30rem) { .entries > li:has(> .inbox-code) { flex-wrap: wrap; } .entries > li:has(> .inbox-code) > .row-words { flex-basis: 100%; } }
`;
