// Balance and statements: one figure that is read first, and pages that come out well on paper.
export const moneyStyles = `
.money-figure { font-size: 2.5rem; line-height: 1.15; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.money-rows { list-style: none; display: flex; flex-direction: column; }
.money-rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; min-height: 3rem; border-bottom: 1px solid var(--line); }
.panel > .money-rows:last-child > li:last-child { border-bottom: 0; }
.money-rows form { flex: none; }
.data-table th:has(> .number) { text-align: end; }
.narrow-table .data-table { min-width: 0; }
.statement-total td { font-weight: 600; }
.statement-months { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; }
.statement-months a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.statement-months a[aria-current] { color: var(--text); text-decoration: none; font-weight: 600; }
.data-table code { overflow-wrap: anywhere; }
@media print {
  .statement-months, .panel:has(.statement-months), .crumbs { display: none; }
  .data-table { min-width: 0; font-size: 0.75rem; }
  .data-table th, .data-table td { padding-block: 0.25rem; padding-inline: 0 0.5rem; }
  .data-table .fine { font-size: 0.6875rem; }
  .data-table tr { break-inside: avoid; }
  .badge { border: 0; padding: 0; background: none; color: inherit; }
  a { color: inherit; text-decoration: none; }
}
`;
