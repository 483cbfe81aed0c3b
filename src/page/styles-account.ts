// The account page: narrower than company settings, with forms of a person's size, and applications with their logo
// beside what they see.
export const accountStyles = `
.account { max-width: 48rem; }
.account .field { max-width: 30rem; }
.account .panel form > .button { width: auto; align-self: flex-start; }
.account .panel form > .button-quiet { margin-left: -0.375rem; }
.account > footer .button { margin-left: -0.375rem; white-space: nowrap; }
.connection { display: flex; align-items: flex-start; gap: 1.25rem; }
.connection .mark { flex: none; width: 2.75rem; height: 2.75rem; font-size: 1.125rem; border-radius: 0.75rem; }
.connection .meta { min-width: 0; }
.account .money-rows > li { padding: 0.75rem 0; gap: 0.25rem 1rem; }
.account .money-rows > li:last-child { border-bottom: 0; padding-bottom: 0; }
.account .money-rows > li > div { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere; }
.account .actions form, .account .money-rows form { display: contents; }
.account .money-rows .button, .account .actions .button { width: auto; }
@media (max-width: 30rem) {
  .account .panel form > .button-primary, .account .panel form > .button-danger { width: 100%; }
  .account .money-rows .button-quiet { margin-left: -0.4375rem; }
}
`;
