// The first hosted page in miniature, twice: in light and in dark, whatever the member's own system prefers. Made of
// the same components as the real one and inert: there is no form in it, nothing takes the focus, and a screen reader
// hears the caption only. The real page cannot be embedded, since it forbids every frame.
import type { Appearance } from '../../applications/appearance.ts';
import type { Application } from '../../applications/application.ts';
import { Button, Divider } from '../../page/button.tsx';
import { EmailField } from '../../page/field.tsx';
import { Mark } from '../../page/layout.tsx';

type PreviewedApplication = Pick<Application, 'id' | 'name' | 'logo'> & { appearance: Appearance };

export function SignInPreview({ application }: { application: PreviewedApplication }) {
  return (
    <div class="previews">
      <Preview application={application} look="light" caption="Light" />
      <Preview application={application} look="dark" caption="Dark" />
    </div>
  );
}

type PreviewProps = { application: PreviewedApplication; look: 'light' | 'dark'; caption: string };

function Preview({ application: { id, name, logo, appearance }, look, caption }: PreviewProps) {
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
      </div>
    </figure>
  );
}
