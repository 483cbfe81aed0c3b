// Icons, the person's menu, dashboards of company settings, and tables that become cards on a phone.
export const dashboardStyles = `
.icon { flex: none; width: 1.25rem; height: 1.25rem; }
.nav-link { gap: 0.75rem; }
.nav-link .icon { color: var(--text-soft); }
.nav-link[aria-current] .icon, .nav-link:hover .icon { color: var(--accent-text); }
.side-foot { gap: 0.125rem; }
.person-menu { margin-top: 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); display: flex; flex-direction: column; }
.person-menu > summary { list-style: none; cursor: pointer; display: flex; align-items: center; gap: 0.75rem; min-height: 3rem; padding: 0.375rem 0.625rem; border-radius: 0.625rem; }
.person-menu > summary::-webkit-details-marker { display: none; }
.person-menu > summary:hover { background: var(--surface-raised); }
.person-menu > summary::after { content: ""; flex: none; margin-inline-start: auto; width: 0.4375rem; height: 0.4375rem; border: solid var(--text-soft); border-width: 1.5px 0 0 1.5px; transform: rotate(45deg); }
.person-menu[open] > summary::after { transform: rotate(225deg); }
.avatar { flex: none; display: grid; place-items: center; width: 2.125rem; height: 2.125rem; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-weight: 600; font-size: 0.9375rem; }
.side-foot .person { min-width: 0; padding: 0; font-size: 0.8125rem; line-height: 1.35; display: flex; flex-direction: column; }
.side-foot .person strong { font-size: 0.9375rem; }
.side-foot .person > :not(strong) { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }

.stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: 1rem; }
.stat { display: flex; flex-direction: column; gap: 0.25rem; padding: 1.125rem 1.25rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface); min-width: 0; }
.stat dt { font-size: 0.875rem; color: var(--text-soft); font-weight: 500; }
.stat dd { display: flex; flex-direction: column; gap: 0.25rem; }
.stat-figure { font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.stat-note { font-size: 0.875rem; color: var(--text-soft); }
.stat-change { font-weight: 600; color: var(--text); }
.stat-bad .stat-figure { color: var(--problem); }

.notices { display: flex; flex-direction: column; gap: 0.625rem; }
.notices:empty { display: none; }
.raw > summary { display: inline-flex; align-items: center; min-height: 1.75rem; cursor: pointer; font-size: 0.8125rem; color: var(--text-soft); font-weight: 450; }
.raw > summary:hover { color: var(--text); }
.raw .meta { padding: 0.25rem 0 0.5rem; font-size: 0.875rem; font-weight: 400; }
.columns .panel-words { flex-basis: 8rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 1.5rem; align-items: start; }
.columns > .panel { min-width: 0; }
.columns > .panel > .empty { padding: 0; border: 0; align-items: flex-start; gap: 0.125rem; text-align: start; font-size: 0.9375rem; }
.columns > .panel > .empty > .empty-heading { font-weight: 500; }
.entries { list-style: none; display: flex; flex-direction: column; }
.entries > li { display: flex; align-items: center; gap: 0.875rem; min-height: 3.5rem; padding: 0.625rem 0; min-width: 0; }
.entries > li + li { border-top: 1px solid var(--line); }
.entries > li:last-child { padding-bottom: 0; }
.row-words { flex: 1; min-width: 0; display: flex; flex-direction: column; gap: 0.125rem; overflow-wrap: anywhere; }
.row-words > strong, .row-words > a { font-weight: 600; }
.row-end { flex: none; max-width: 45%; text-align: end; display: flex; flex-direction: column; align-items: flex-end; gap: 0.125rem; font-variant-numeric: tabular-nums; }
.row-end strong { font-weight: 600; }
.row-count { flex: none; min-width: 2.5rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.mark.mark-small { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 0.625rem; font-size: 1.0625rem; }
.with-mark { display: flex; align-items: center; gap: 0.75rem; min-width: 0; }
.with-mark > div { min-width: 0; }
.row-words-wide { flex: 1; }
.low { color: var(--problem); }

.data-table .with-mark { min-width: 12rem; }
.data-table .whole { white-space: nowrap; }
.fields:has(#expires option:checked:not([value="date"])) .field:has(#last_day) { display: none; }
.gallery { display: flex; flex-direction: column; gap: 1.25rem; padding: 1.25rem; border-radius: 1rem; border: 1px solid var(--line); background: var(--ground); color: var(--text); min-width: 0; }
.gallery .actions .button { width: auto; }
.gallery-title { font-size: 1.5rem; font-weight: 650; letter-spacing: -0.015em; }
.gallery-icons { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0.75rem; font-size: 0.875rem; }
.gallery-icons li { display: flex; align-items: center; gap: 0.5rem; }
.offers { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr)); gap: 0.75rem; }
.offer { display: flex; flex-direction: column; gap: 0.25rem; padding: 1rem; text-align: start; font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--button-line); border-radius: 0.75rem; cursor: pointer; }
.offer:hover { border-color: var(--accent); background: var(--surface-raised); }
.offer strong { font-size: 1.25rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.offer span { font-size: 0.875rem; color: var(--text-soft); }
.choices:has([type="radio"]) { gap: 0.5rem; }
.check:has(> [type="radio"]) { position: relative; padding: 0.75rem 1rem; border: 1px solid var(--button-line); border-radius: 0.75rem; background: var(--surface); max-width: 42rem; }
.check:has(> [type="radio"]):hover { border-color: var(--control-line); }
.check:has(> [type="radio"]:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.check:has(> [type="radio"]) label::after { content: ""; position: absolute; inset: 0; cursor: pointer; }
.check > [type="radio"] { position: relative; z-index: 1; }
.choices:has(#applications-all:checked) + .choices { display: none; }

.json-name { color: var(--accent-text); }
.json-text { color: var(--success); }
.json-value { color: var(--warning); }
.tabs { position: relative; }
.tabs ul { min-width: max-content; }

.button-busy { cursor: progress; }
.button-busy::before { content: ""; width: 1em; height: 1em; border: 2px solid currentColor; border-inline-end-color: transparent; border-radius: 50%; }
@media (prefers-reduced-motion: no-preference) {
  .button-busy::before { animation: turn 700ms linear infinite; }
  @keyframes turn { to { transform: rotate(360deg); } }
}

@media (max-width: 40rem) {
  .tabs { margin: 0 -1rem; padding: 0 1rem; mask-image: linear-gradient(to right, transparent, #000 1rem calc(100% - 2rem), transparent); scrollbar-width: none; }
  .stats { grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); gap: 0.75rem; }
  .stat { padding: 0.875rem 1rem; }
  .stat-figure { font-size: 1.5rem; }
  .scroll:has(> .data-table-cards) { overflow: visible; }
  .data-table-cards { display: block; min-width: 0; }
  .data-table-cards > thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .data-table-cards > tbody { display: flex; flex-direction: column; gap: 0.75rem; }
  .data-table-cards > tbody > tr { display: block; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.75rem; }
  .data-table-cards > tbody > tr > td { display: flow-root; min-height: 2rem; padding-block: 0.25rem; padding-inline: 7rem 0; border: 0; overflow-wrap: anywhere; text-align: start; white-space: normal; }
  .data-table-cards > tbody > tr > td::before { content: attr(data-label); float: inline-start; width: 6.5rem; margin-inline-start: -7rem; font-size: 0.875rem; line-height: 1.7; color: var(--text-soft); }
  .data-table-cards > tbody > tr > td:first-child, .data-table-cards > tbody > tr > td[data-label=""] { padding-inline-start: 0; }
  .data-table-cards > tbody > tr > td:first-child::before, .data-table-cards > tbody > tr > td[data-label=""]::before { content: none; }
  .data-table-cards > tbody > tr > td:first-child { padding-bottom: 0.5rem; font-weight: 550; }
  .data-table-cards > tbody > tr > td:first-child .fine { font-weight: 400; }
  .data-table-cards > tbody > tr > td.number, .data-table-cards > tbody > tr > td > .number { text-align: start; }
  .data-table:not(.data-table-cards) { min-width: 0; font-size: 0.875rem; }
  .data-table:not(.data-table-cards) th, .data-table:not(.data-table-cards) td { padding-inline-end: 0.5rem; }
  .data-table-cards > tbody > tr > td:empty { display: none; }
  .data-table-cards > tbody > tr > td .button { margin: 0.25rem 0 0; }
  .data-table-cards td .endpoint { min-width: 0; }
  .data-table-cards .event, .data-table-cards .whole { white-space: normal; }
}
`;
