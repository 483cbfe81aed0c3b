// The documentation: text to read, at the width of a book, with code and tables that scroll inside themselves.
export const docsStyles = `
.prose { max-width: 46rem; display: flex; flex-direction: column; gap: 1rem; overflow-wrap: anywhere; }
.prose > .scroll, .prose > pre { max-width: 100%; }
.prose h2 { margin-top: 1.25rem; font-size: 1.25rem; letter-spacing: -0.01em; }
.prose h3 { margin: 0.75rem 0 0; font-size: 1.0625rem; line-height: 1.35; font-weight: 600; }
.prose h2, .prose h3 { scroll-margin-top: 1rem; }
.prose ul, .prose ol { padding-inline-start: 1.375rem; display: flex; flex-direction: column; gap: 0.375rem; }
.prose li > p, .prose li > ul, .prose li > ol, .prose li > pre { margin-top: 0.375rem; }
.prose :not(pre) > code { padding: 0.0625rem 0.25rem; border-radius: 0.3125rem; background: var(--neutral-ground); }
.prose pre { margin: 0; padding: 0.875rem 1rem; overflow-x: auto; line-height: 1.5; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface); }
.prose blockquote { margin: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--text-soft); }
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
.own-application { max-width: 46rem; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem 1.25rem; padding: 0.875rem 1rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
.own-application .input { width: auto; max-width: 100%; min-width: 0; }
.docs-search { display: flex; flex-direction: column; gap: 0.5rem; }
.chapters { display: flex; flex-direction: column; gap: 1rem; }
.chapter { padding: 0 0.75rem 0.25rem; font-size: 0.8125rem; font-weight: 600; color: var(--text-soft); }
.found { list-style: none; max-width: 46rem; display: flex; flex-direction: column; gap: 1.25rem; }
.found a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.found p { color: var(--text-soft); overflow-wrap: anywhere; }
.content-wide { max-width: 84rem; gap: 2.5rem; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; padding-top: 2rem; border-top: 1px solid var(--line); align-items: start; }
.operation-words > h2 { margin-top: 0; }
.operation-code { position: sticky; top: 1.5rem; min-width: 0; display: flex; flex-direction: column; gap: 0.5rem; }
.prose ul.facts, .errors ul.facts { padding-inline-start: 0; gap: 0; }
.request { font-weight: 600; }
.field-name { overflow-wrap: anywhere; }
.on-this-page .facts { margin: 0.25rem 0 0.5rem; }
.sample { border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface); }
.sample > summary { display: flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; cursor: pointer; font-weight: 550; font-size: 0.9375rem; }
.sample > summary::after, .operation .on-this-page > summary::after { content: ""; flex: none; width: 0.4375rem; height: 0.4375rem; margin-block: -0.1875rem 0; margin-inline: auto 0.25rem; border: solid var(--text-soft); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.sample[open] > summary::after, .operation .on-this-page[open] > summary::after { transform: rotate(225deg); margin-top: 0.1875rem; }
.sample > .copyable { padding: 0 1rem 1rem; }
.sample .copyable-value, .sample-answer .copyable-value { margin: 0; white-space: pre; overflow-x: auto; overflow-wrap: normal; line-height: 1.5; font-size: 0.875rem; }
.sample-answer { display: flex; flex-direction: column; gap: 0.375rem; margin-top: 0.5rem; }
.errors { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); gap: 1rem; }
.errors .panel { min-width: 0; }
.errors h3 { scroll-margin-top: 1rem; font-size: 1.0625rem; }
.errors .copyable-value { white-space: pre-wrap; }
@media (max-width: 70rem) {
  .operation { grid-template-columns: minmax(0, 1fr); }
  .operation-code { position: static; }
}
mark { color: var(--text); background: var(--warning-ground); border-bottom: 2px solid var(--warning-line); }
@media print { .on-this-page, .anchor { display: none; } }
`;
