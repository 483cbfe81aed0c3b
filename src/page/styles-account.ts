// The account page: a bar, the person and the sections beside the content (above it on a phone, where they scroll), and
// lists of what can be changed.
export const accountStyles = `
.account-bar { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 3.75rem; padding: 0.25rem max(1.5rem, calc((100% - 68rem) / 2)); background: var(--surface); border-bottom: 1px solid var(--line); }
.account-bar .product { padding: 0; }
.account-grid { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; max-width: 71rem; margin: 0 auto; padding: 2.5rem 1.5rem 2rem; }
.account-side { position: sticky; top: 1.5rem; align-self: start; display: flex; flex-direction: column; gap: 1.5rem; }
.account-person { display: flex; align-items: center; gap: 0.875rem; min-width: 0; }
.account-person p { min-width: 0; display: flex; flex-direction: column; line-height: 1.35; overflow-wrap: anywhere; }
.account-person .fine { line-height: 1.35; }
.account-person.boxed { padding: 0.875rem 1rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface-raised); }
.avatar.avatar-large { width: 3rem; height: 3rem; font-size: 1.125rem; letter-spacing: 0.01em; }
.account { min-width: 0; display: flex; flex-direction: column; gap: 1.5rem; }
.account-foot { max-width: 71rem; margin: 0 auto; padding: 1rem 1.5rem 2.5rem; }
.account .field { max-width: 30rem; }
.account .panel form > .button { width: auto; align-self: flex-start; }
.account .panel form > .button-quiet { margin-inline-start: -0.375rem; }
.account .entries > li { flex-wrap: nowrap; }
.account .entries > li:first-child { padding-top: 0; }
.account .entries > li > form { flex: none; display: block; }
.account .panel-actions { max-width: 100%; }
.account .panel-actions form { display: block; min-width: 0; max-width: 100%; }
.account .entries .button { width: auto; flex: none; white-space: nowrap; }
.row-icon { flex: none; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 0.625rem; background: var(--neutral-ground); color: var(--text-soft); }
.entries > .device { align-items: flex-start; }
.device-pages { list-style: none; margin-top: 0.25rem; }
.device-pages > li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; }
.device-pages .button { margin: 0; }
.connection { display: flex; align-items: flex-start; gap: 1.25rem; }
.connection .mark { flex: none; width: 2.75rem; height: 2.75rem; font-size: 1.125rem; border-radius: 0.75rem; }
.connection .meta { min-width: 0; }
.account .money-rows > li { padding: 0.75rem 0; gap: 0.25rem 1rem; }
.account .money-rows > li:last-child { border-bottom: 0; padding-bottom: 0; }
.account .money-rows > li > div { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere; }
.account .actions form, .account .money-rows form { display: contents; }
.account .money-rows .button, .account .actions .button { width: auto; }
.account .columns { grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); align-items: stretch; }
.account .columns .actions { margin-top: auto; }
@media (max-width: 52rem) {
  .account-grid { display: flex; flex-direction: column; gap: 1.5rem; padding: 1.25rem 1rem 1.5rem; }
  .account-bar { padding: 0.25rem 1rem; }
  .account-side { position: static; align-self: stretch; gap: 0.875rem; min-width: 0; }
  .account-nav { position: relative; margin: 0 -1rem; padding: 0 1rem; overflow-x: auto; border-bottom: 1px solid var(--line); scrollbar-width: none; mask-image: linear-gradient(to right, transparent, #000 1rem calc(100% - 2rem), transparent); }
  .account-nav .nav-list { flex-direction: row; min-width: max-content; gap: 0.25rem; }
  .account-nav .nav-link { gap: 0.5rem; padding: 0.25rem 0.625rem; border-radius: 0.5rem 0.5rem 0 0; border-bottom: 2px solid transparent; white-space: nowrap; }
  .account-nav .nav-link[aria-current] { background: none; border-bottom-color: var(--accent); }
}
@media (max-width: 30rem) {
  body:has(.account) { background: var(--ground); }
  .account .panel { background: var(--surface); }
  .account .panel form > .button-primary, .account .panel form > .button-danger { width: 100%; }
  .account .money-rows .button-quiet { margin-inline-start: -0.4375rem; }
  .account .entries > li { flex-wrap: wrap; gap: 0.25rem 0.75rem; }
  .account .entries .row-words { flex: 1 1 8.5rem; }
  .account .entries > .device .row-words { flex-basis: 13rem; }
  .account .entries > li > .button, .account .entries > li > form { margin-inline-start: auto; }
  .row-icon { width: 2.125rem; height: 2.125rem; }
}
`;
