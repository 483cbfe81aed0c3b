// Charts and time lines of company settings. The colours of a stack differ in lightness too, so that they can be told
// apart without telling colours apart.
export const chartStyles = `
.chart { display: flex; flex-direction: column; gap: 1rem; min-width: 0; }
.chart-legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.9375rem; color: var(--text-soft); }
.chart-legend li { display: flex; align-items: center; gap: 0.5rem; }
.chart-legend strong { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.chart-key { width: 0.75rem; height: 0.75rem; }
.chart-body { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.5rem 0.75rem; padding-top: 0.5rem; }
.chart-scale { display: flex; flex-direction: column; justify-content: space-between; margin: -0.5rem 0; font-size: 0.75rem; line-height: 1rem; text-align: end; color: var(--text-soft); font-variant-numeric: tabular-nums; }
.chart-drawing { display: block; width: 100%; height: 13rem; overflow: visible; }
.chart-days { grid-column: 2; display: flex; font-size: 0.75rem; line-height: 1rem; color: var(--text-soft); white-space: nowrap; }
.chart-days span { flex: 1 1 0; min-width: 0; }
.chart-days.chart-days-all span { text-align: center; }
.chart-line { stroke: var(--line); stroke-width: 1px; vector-effect: non-scaling-stroke; }
.chart-hover { fill: transparent; }
.chart-bar:hover .chart-hover { fill: var(--neutral-ground); }
.chart-part-0 { fill: var(--part-0); }
.chart-part-1 { fill: var(--part-1); }
.chart-part-2 { fill: var(--part-2); }
.chart-table > summary { display: inline-flex; align-items: center; min-height: 2.75rem; cursor: pointer; font-size: 0.9375rem; color: var(--accent-text); font-weight: 500; }
.chart-table .data-table { min-width: 24rem; }

.filter .input { max-width: none; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 100%), 1fr)); gap: 1rem; }
.timeline { list-style: none; display: flex; flex-direction: column; }
.timeline > li { position: relative; padding: 0; padding-block-end: 1.5rem; padding-inline-start: 2rem; min-width: 0; overflow-wrap: anywhere; }
.timeline > li::before { content: ""; position: absolute; inset-inline-start: 0.3125rem; top: 0.375rem; width: 0.8125rem; height: 0.8125rem; border-radius: 50%; border: 2px solid var(--surface); background: var(--control-line); z-index: 1; }
.timeline > li::after { content: ""; position: absolute; inset-inline-start: 0.6875rem; top: 0.75rem; bottom: -0.75rem; width: 1px; background: var(--line); }
.timeline > li:last-child { padding-bottom: 0; }
.timeline > li:last-child::after { display: none; }
.timeline > .timeline-good::before { background: var(--success); }
.timeline > .timeline-bad::before { background: var(--problem); border-radius: 3px; }
.timeline-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; }
.timeline-head strong { font-weight: 600; }
.timeline-head .fine { font-variant-numeric: tabular-nums; white-space: nowrap; }
.timeline p { font-size: 0.9375rem; max-width: 46rem; }
.timeline .todo { color: var(--text-soft); }
@media print { .chart-table, .chart-drawing { break-inside: avoid; } }
`;
