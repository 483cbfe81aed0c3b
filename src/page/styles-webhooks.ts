// Webhook pages of company settings: attempts that open, and the lines of a check.
export const webhookStyles = `
.checks { list-style: none; padding: 0; }
.checks > li { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr); gap: 0.75rem; align-items: start; padding: 0.75rem 0; overflow-wrap: anywhere; }
.checks > li + li { border-top: 1px solid var(--line); }
.checks > li .badge { justify-self: start; }
.checks > li .fine { display: block; }
.checks strong { font-weight: 600; }
.attempt { border: 1px solid var(--line); border-radius: 0.625rem; padding: 0 1rem; }
.attempt > summary { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; padding: 0.5rem 0; cursor: pointer; font-weight: 550; overflow-wrap: anywhere; list-style: none; }
.attempt > summary::-webkit-details-marker { display: none; }
.attempt > summary::after { content: ""; flex: none; margin-inline-start: auto; width: 0.4375rem; height: 0.4375rem; border: solid var(--text-soft); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.attempt[open] > summary::after { transform: rotate(-135deg); }
.attempt > :not(summary) { margin-bottom: 1rem; }
.attempt h3 { font-size: 0.875rem; font-weight: 550; color: var(--text-soft); margin-bottom: 0.375rem; }
.data-table .event { white-space: nowrap; }
.endpoint { overflow-wrap: anywhere; font-weight: 550; }
.data-table td .endpoint { display: inline-block; min-width: 11rem; }
`;
