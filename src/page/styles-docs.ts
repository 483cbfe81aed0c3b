// The documentation: text to read, at the width of a book, with code and tables that scroll inside themselves.
export const docsStyles = `
.prose { max-width: 46rem; display: flex; flex-direction: column; gap: 1rem; overflow-wrap: anywhere; }
.prose > .scroll, .prose > pre { max-width: 100%; }
.prose h2 { margin-top: 1.25rem; font-size: 1.25rem; letter-spacing: -0.01em; }
.prose h3 { margin: 0.75rem 0 0; font-size: 1.0625rem; line-height: 1.35; font-weight: 600; }
.prose h2, .prose h3 { scroll-margin-top: 1rem; }
.prose ul, .prose ol { padding-left: 1.375rem; display: flex; flex-direction: column; gap: 0.375rem; }
.prose li > p, .prose li > ul, .prose li > ol, .prose li > pre { margin-top: 0.375rem; }
.prose :not(pre) > code { padding: 0.0625rem 0.25rem; border-radius: 0.3125rem; background: var(--neutral-ground); }
.prose pre { margin: 0; padding: 0.875rem 1rem; overflow-x: auto; line-height: 1.5; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface); }
.prose blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--text-soft); }
.prose hr { width: 100%; border: 0; border-top: 1px solid var(--line); }
.prose .data-table td { min-width: 6rem; }
.anchor { display: inline-block; min-width: 1.5rem; min-height: 1.5rem; text-align: center; font-weight: 400; color: var(--text-soft); text-decoration: none; }
.anchor:hover { color: var(--accent-text); }
.paths { grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); max-width: 56rem; }
.plain { list-style: none; display: flex; flex-direction: column; gap: 0.125rem; }
.plain a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.on-this-page { max-width: 46rem; border: 1px solid var(--line); border-radius: 0.75rem; padding: 0 1rem; background: var(--surface); }
.on-this-page > summary { display: flex; align-items: center; min-height: 2.75rem; cursor: pointer; font-weight: 550; }
.on-this-page[open] { padding-bottom: 0.5rem; }
.docs-search { display: flex; flex-direction: column; gap: 0.5rem; }
.chapters { display: flex; flex-direction: column; gap: 1rem; }
.chapter { padding: 0 0.75rem 0.25rem; font-size: 0.8125rem; font-weight: 600; color: var(--text-soft); }
.found { list-style: none; max-width: 46rem; display: flex; flex-direction: column; gap: 1.25rem; }
.found a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.found p { color: var(--text-soft); overflow-wrap: anywhere; }
mark { color: var(--text); background: var(--warning-ground); border-bottom: 2px solid var(--warning-line); }
@media print { .on-this-page, .anchor { display: none; } }
`;
