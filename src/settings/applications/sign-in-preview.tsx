// The first hosted page and the head of a mail in miniature, twice: in light and in dark, whatever the member's own system
// prefers. Made of the same components as the real one and inert: there is no form in it, nothing takes the focus, and a
// screen reader hears the caption only. The real page cannot be embedded, since it forbids every frame.
import type { Appearance } from '../../applications/appearance.ts';
import type { Application } from '../../applications/application.ts';
import { oneTimeCodeDigits } from '../../limits/credentials.ts';
import { Button, Divider } from '../../page/button.tsx';
import { EmailField } from '../../page/field.tsx';
import { Mark } from '../../page/layout.tsx';

type PreviewedApplication = Pick<Application, 'id' | 'name' | 'logo'> & { appearance: Appearance };
/** What mails come from where an application has said nothing. */
type Sender = { name: string; address: string };

type PreviewsProps = { application: PreviewedApplication; sender: Sender };

export function SignInPreview(props: PreviewsProps) {
  return (
    <div class="previews">
      <Preview {...props} look="light" caption="Light" />
      <Preview {...props} look="dark" caption="Dark" />
    </div>
  );
}

type PreviewProps = PreviewsProps & { look: 'light' | 'dark'; caption: string };

function Preview({ application, sender, look, caption }: PreviewProps) {
  const { id, name, logo, appearance } = application;
  const light = logo ? `/applications/${id}/logo` : undefined;
  const dark = appearance.hasDarkLogo ? `/applications/${id}/logo-dark` : light;
  const shownName = <span data-preview-name>{name}</span>;
  return (
    <figure class="preview">
      <figcaption class="fine">{caption}</figcaption>
      <div class={`preview-stage look-${look}`} inert>
        <div class="card">
          <div class="card-head">
            <Mark name={name} logoPath={look === 'dark' ? dark : (light ?? dark)} />
            <p class="preview-heading">Sign in</p>
            <p class="lead">to continue to {shownName}</p>
          </div>
          <div class="stack">
            <EmailField
              name={`email-${look}`}
              label="Email address"
              hint="We’ll email you a code. No password needed."
            />
            <Button>Continue</Button>
            <Divider>or</Divider>
            <Button kind="secondary">Use a password</Button>
          </div>
          <div class="more-ways">
            <Button kind="secondary">Use a passkey</Button>
          </div>
          <div class="card-foot">
            <p>
              New here? <span class="button button-quiet">Create an account</span>
            </p>
            <Button kind="soft">
              <span>Cancel and return to {shownName}</span>
            </Button>
          </div>
        </div>
        <LinksPreview appearance={appearance} />
        <p class="preview-mail">
          <span class="fine">
            <strong data-preview-sender={sender.name}>{appearance.senderName ?? sender.name}</strong> &lt;
            {sender.address}&gt;
          </span>
          <span>
            {EXAMPLE_CODE} is your {shownName} code
          </span>
        </p>
      </div>
    </figure>
  );
}

const EXAMPLE_CODE = '482913'.slice(0, oneTimeCodeDigits);

/** All three, so that one can appear as soon as something is typed. */
function LinksPreview({ appearance }: Pick<PreviewedApplication, 'appearance'>) {
  const links = [
    { name: 'terms', label: 'Terms', url: appearance.termsUrl },
    { name: 'privacy', label: 'Privacy', url: appearance.privacyUrl },
    { name: 'support', label: 'Support', url: appearance.supportUrl },
  ];
  return (
    <ul class="brand-links">
      {links.map(({ name, label, url }) => (
        <li key={name} data-preview-link={name} hidden={!url}>
          <span class="preview-link">{label}</span>
        </li>
      ))}
    </ul>
  );
}
