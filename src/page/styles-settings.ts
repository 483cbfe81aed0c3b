// Company settings and the account page: navigation beside the content (above it on a phone), and what lists,
// tables and dashboards are made of.
export const settingsStyles = `
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0; }
.skip { position: absolute; inset-inline-start: 0.75rem; top: -4rem; z-index: 2; padding: 0.75rem 1rem; border-radius: 0.625rem; background: var(--surface); border: 1px solid var(--line); }
.skip:focus { top: 0.75rem; }

.settings { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); min-height: 100vh; min-height: 100dvh; }
.side { position: sticky; top: 0; align-self: start; height: 100vh; height: 100dvh; overflow-y: auto; display: flex; flex-direction: column; gap: 1.25rem; padding: 1.25rem 0.875rem; background: var(--surface); border-inline-end: 1px solid var(--line); }
.topbar { display: none; }
.product { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; padding: 0 0.625rem; font-weight: 650; color: var(--text); text-decoration: none; letter-spacing: -0.01em; }
.product img { display: block; }
.workspace-switch { position: relative; }
.workspace-switch > summary, .menu > summary { list-style: none; cursor: pointer; }
.workspace-switch > summary::-webkit-details-marker, .menu > summary::-webkit-details-marker { display: none; }
.workspace-switch > summary { display: flex; align-items: center; justify-content: space-between; gap: 0.5rem; min-height: 2.75rem; padding: 0.375rem 0.75rem; border: 1px solid var(--button-line); border-radius: 0.625rem; font-weight: 600; font-size: 0.9375rem; overflow-wrap: anywhere; }
.workspace-switch > summary:hover { background: var(--surface-raised); }
.workspace-switch > summary::after { content: ""; flex: none; width: 0.4375rem; height: 0.4375rem; margin-top: -0.1875rem; border: solid var(--text-soft); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.workspace-switch ul { list-style: none; margin-top: 0.375rem; padding: 0.25rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface); }
.nav-list { list-style: none; display: flex; flex-direction: column; gap: 0.125rem; }
.nav-link { display: flex; align-items: center; min-height: 2.75rem; padding: 0.25rem 0.75rem; border-radius: 0.5rem; color: var(--text-soft); font-size: 0.9375rem; font-weight: 500; text-decoration: none; overflow-wrap: anywhere; }
.nav-link:hover { background: var(--surface-raised); color: var(--text); }
.nav-link[aria-current] { background: var(--neutral-ground); color: var(--text); font-weight: 600; }
.side-foot { margin-top: auto; padding-top: 1rem; border-top: 1px solid var(--line); display: flex; flex-direction: column; gap: 0.125rem; }
.side-foot .person { padding: 0 0.75rem 0.25rem; font-size: 0.875rem; color: var(--text-soft); overflow-wrap: anywhere; }
.side-foot .person strong { display: block; color: var(--text); font-weight: 600; font-size: 0.9375rem; }
.nav-button { width: 100%; background: none; border: 0; font: inherit; font-size: 0.9375rem; font-weight: 500; text-align: start; cursor: pointer; }

.content { min-width: 0; width: 100%; max-width: 67rem; padding: 2.25rem 2.5rem 5rem; display: flex; flex-direction: column; gap: 1.5rem; }
.content-head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 1rem 1.5rem; }
.content-words { flex: 1 1 20rem; min-width: 0; display: flex; flex-direction: column; gap: 0.375rem; }
.content-actions, .panel-actions, .actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.625rem; }
.content-actions .button, .panel-actions .button, .actions .button, .pager .button, .content form.stack > .button { width: auto; }
.content form.stack > .button { align-self: flex-start; }
.content-actions form, .panel-actions form, .actions form, td form { display: contents; }
.crumbs { font-size: 0.9375rem; color: var(--text-soft); overflow-wrap: anywhere; }
.crumbs ol { list-style: none; display: flex; flex-wrap: wrap; gap: 0 0.5rem; }
.crumbs li + li::before { content: "/"; margin-inline-end: 0.5rem; color: var(--control-line); }
.tabs { border-bottom: 1px solid var(--line); overflow-x: auto; }
.tabs ul { list-style: none; display: flex; gap: 0.25rem; }
.tab { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0.25rem 0.75rem; color: var(--text-soft); text-decoration: none; font-size: 0.9375rem; white-space: nowrap; border-bottom: 2px solid transparent; }
.tab:hover { color: var(--text); }
.tab[aria-current] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600; }

.panel-head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 0.75rem 1.25rem; }
.panel-words { flex: 1 1 16rem; min-width: 0; display: flex; flex-direction: column; gap: 0.25rem; }
.panel-danger { border-color: var(--problem-line); }
.panel-danger h2 { color: var(--problem); }
.panel-danger h2 ~ h2 { color: var(--text); }
.button-danger { background: var(--surface); color: var(--problem); border-color: var(--problem-line); }
.button-danger:hover { background: var(--problem-ground); }
.button-final { background: var(--final); color: #ffffff; }
.button-final:hover { background: var(--final-hover); }
.content .input { max-width: 34rem; }
.content .input-area { max-width: none; min-height: 6rem; resize: vertical; line-height: 1.5; }
.input-mono { font-family: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.875rem; }
.content .label { justify-content: flex-start; }
.content .field-problem, .content .field > .fine { max-width: 42rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.filter { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 0.75rem; }
.filter .field { flex: 1 1 10rem; min-width: 0; }
.filter .button { width: auto; }
.choices { border: 0; margin: 0; padding: 0; min-width: 0; display: flex; flex-direction: column; gap: 0.125rem; }
.choices legend { padding: 0; margin-bottom: 0.375rem; }
.check { display: flex; gap: 0.75rem; padding: 0.5rem 0; overflow-wrap: anywhere; }
.check > div { min-width: 0; }
.check label { font-size: 0.9375rem; font-weight: 500; display: block; padding: 0.125rem 0; }
.check-box { flex: none; width: 1.375rem; height: 1.375rem; margin: 0.125rem 0 0; accent-color: var(--accent); }
.check-box:focus-visible { outline-offset: 2px; }

.data-table { min-width: 30rem; }
.data-table-wide { min-width: 54rem; }
.data-table th { font-size: 0.8125rem; color: var(--text-soft); font-weight: 550; white-space: nowrap; }
.data-table th, .data-table td { padding-block: 0.625rem; padding-inline: 0 1rem; overflow-wrap: break-word; }
.data-table th:last-child, .data-table td:last-child { padding-inline-end: 0; }
.data-table tbody tr:last-child td { border-bottom: 0; }
.data-table td .fine { display: block; }
.data-table .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.data-table time { white-space: nowrap; }
.data-table td .button { width: auto; margin: -0.625rem 0; }
.data-table .input { min-width: 8.5rem; }
.scroll { position: relative; }
.scroll:focus-visible { outline-offset: 4px; }
.badge { display: inline-flex; align-items: center; padding: 0.0625rem 0.5625rem; border-radius: 1rem; font-size: 0.8125rem; font-weight: 550; line-height: 1.5; white-space: nowrap; border: 1px solid var(--line); background: var(--neutral-ground); color: var(--text); }
.badge-good { color: var(--success); background: var(--success-ground); border-color: var(--success-line); }
.badge-bad { color: var(--problem); background: var(--problem-ground); border-color: var(--problem-line); }
.badge-warning { color: var(--warning); background: var(--warning-ground); border-color: var(--warning-line); }
.notice-warning { color: var(--warning); background: var(--warning-ground); border-color: var(--warning-line); }

.copyable { display: flex; flex-direction: column; gap: 0.25rem; min-width: 0; }
.copyable-head { display: flex; align-items: center; justify-content: space-between; gap: 0.75rem; min-height: 2.75rem; }
.copyable-value { display: block; padding: 0.75rem 0.875rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface-raised); overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; }
.panel pre.copyable-value { user-select: text; -webkit-user-select: text; white-space: pre; overflow-x: auto; overflow-wrap: normal; line-height: 1.5; }
.copy[hidden] { display: none; }
.secrets { border-color: var(--warning-line); }

.empty { padding: 2rem 1.25rem; border: 1px dashed var(--button-line); border-radius: 0.75rem; display: flex; flex-direction: column; align-items: center; gap: 0.625rem; text-align: center; color: var(--text-soft); }
.empty-heading { font-weight: 600; color: var(--text); }
.empty .button { width: auto; }
.pager { display: flex; justify-content: space-between; gap: 0.75rem; }
.pager a[rel="next"] { margin-inline-start: auto; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1rem; }
.tile { display: flex; flex-direction: column; gap: 0.5rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
a.tile:hover { border-color: var(--control-line); }
.tile-figure { font-size: 1.5rem; font-weight: 650; letter-spacing: -0.015em; font-variant-numeric: tabular-nums; }
.tile-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.375rem; font-weight: 600; color: var(--text); }
.steps { list-style: none; display: flex; flex-direction: column; counter-reset: step; }
.steps > li { counter-increment: step; display: flex; gap: 1rem; padding: 1rem 0; }
.steps > li + li { border-top: 1px solid var(--line); }
.steps > li::before { content: counter(step); flex: none; display: grid; place-items: center; width: 1.875rem; height: 1.875rem; border-radius: 50%; border: 1px solid var(--button-line); font-size: 0.875rem; font-weight: 600; color: var(--text-soft); }
.steps > li.done::before { content: "✓"; color: var(--success); background: var(--success-ground); border-color: var(--success-line); }
.steps > li > div { min-width: 0; flex: 1; display: flex; flex-direction: column; gap: 0.25rem; }
.step-name { font-weight: 600; }
.steps .actions { margin-top: 0.625rem; }

@media (max-width: 52rem) {
  .settings { display: block; }
  .side { display: none; }
  .topbar { display: block; background: var(--surface); border-bottom: 1px solid var(--line); }
  .menu > summary { display: flex; align-items: center; justify-content: space-between; gap: 0.75rem; min-height: 3.5rem; padding: 0.25rem 1rem; font-weight: 600; overflow-wrap: anywhere; }
  .menu > summary::after { content: "Menu"; flex: none; padding: 0.375rem 0.875rem; border: 1px solid var(--button-line); border-radius: 0.5rem; font-size: 0.9375rem; font-weight: 550; }
  .menu[open] > summary::after { content: "Close"; }
  .menu-content { padding: 0.5rem 0.875rem 1rem; display: flex; flex-direction: column; gap: 1rem; border-top: 1px solid var(--line); }
  .content { padding: 1.5rem 1rem 3rem; gap: 1.25rem; }
}
@media (max-width: 30rem) {
  body:has(.settings) { background: var(--ground); }
  .content .panel { background: var(--surface); }
  .panel-actions .button, .content-actions .button { flex: 1 1 auto; }
}
@media print {
  .settings { display: block; }
  .side, .topbar, .pager, .tabs, .skip, .copy, .content-actions { display: none; }
  .content { max-width: none; padding: 0; }
  .panel { border: 0; padding: 0; }
  .scroll { overflow: visible; }
}
`;
