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
.points { padding-left: 1.25rem; display: flex; flex-direction: column; gap: 0.375rem; overflow-wrap: anywhere; }
.rows { gap: 0.75rem; }
.rows + .rows { margin-top: 0.75rem; }
.rows legend { font-size: 1.0625rem; font-weight: 600; margin-bottom: 0; }
.appearance { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.5rem; align-items: start; }
.appearance > .panel { position: sticky; top: 1.5rem; min-width: 0; }
.appearance .previews { grid-template-columns: 1fr; }
.appearance .stack { min-width: 0; }
.input-colour { width: 4.5rem; padding: 0.25rem; cursor: pointer; }
.input[type="file"] { border-style: dashed; cursor: pointer; }
.inbox-mail { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 0.625rem; background: #ffffff; color-scheme: light dark; }
.inbox-code { flex: none; flex-direction: row; align-items: center; }
.inbox-code .copyable-value { padding: 0.375rem 0.75rem; font-size: 1.0625rem; font-weight: 600; letter-spacing: 0.1em; }
.inbox-code .copy { width: auto; }
`;
