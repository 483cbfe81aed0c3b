// What stands in for a page of the settings when it may not be shown (yet): sign in, sign in again, ask for another
// role. Nothing that was typed is lost on the way: a form that came too late waits on the page and can be sent again.
import type { Context } from 'koa';
import type { SignedInPerson } from '../../accounts/page-session.ts';
import type { Role } from '../../applications/member.ts';
import { TollgateError } from '../../errors.ts';
import { firstPartyClients } from '../../first-party/clients.ts';
import { askToSignIn } from '../../first-party/gate.ts';
import type { FormFields } from '../../http/form.ts';
import { freshSignInSeconds } from '../../limits/settings.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { CardPage } from '../../page/layout.tsx';
import { Panel } from '../../page/panel.tsx';
import { SettingsFrame } from './frame.tsx';
import type { MemberVisit, SettingsDependencies } from './visit.ts';

const client = firstPartyClients.settings;
/** A page that only says: done, go back to the other tab. */
export const CONFIRMED_PATH = '/settings/confirmed';

/** GET without a session. */
export function askPersonToSignIn(deps: SettingsDependencies, ctx: Context): void {
  refusePrograms(ctx, 'invalid_token', 'Sign in to company settings in a browser.');
  askToSignIn(ctx, deps, client);
}

export type KeptForm = {
  /** What was typed, its token included: worthless unless that was right in the first place. */
  fields: FormFields;
  hadFiles: boolean;
  /** The form takes files. */
  upload?: boolean;
  /** Signed in, but too long ago. */
  person?: SignedInPerson | undefined;
};

/** A form that came without a session, or too late after the sign-in. */
export function showKeptForm(ctx: Context, { fields, hadFiles, upload, person }: KeptForm): void {
  if (!person) refusePrograms(ctx, 'invalid_token', 'Sign in to company settings in a browser.');
  ctx.status = person ? 403 : 401;
  ctx.type = 'html';
  const heading = person ? 'Confirm it’s you' : 'You have been signed out';
  ctx.body = renderPage(
    <CardPage
      language="en"
      title={`${heading} · Tollgate`}
      heading={heading}
      symbol="information"
      lead={
        person
          ? `This change requires a sign-in within the last ${freshSignInSeconds / 60} minutes. Nothing has been changed yet, and this page keeps what you typed.`
          : 'Your session has ended. Nothing has been changed, and this page keeps what you typed.'
      }
    >
      <div class="stack">
        <p>
          <a
            class="button button-primary"
            href={`/settings/sign-in${person ? '?again=yes' : ''}`}
            target="_blank"
            rel="noopener"
          >
            1. Sign in, in a new tab
          </a>
        </p>
        <form method="post" action={ctx.path} {...(upload ? { encType: 'multipart/form-data' } : {})}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class="button button-secondary">
            2. Submit the form again
          </button>
        </form>
        {hadFiles && <p class="fine">The file you chose is not kept. Go back and choose it again.</p>}
      </div>
    </CardPage>,
  );
}

const roleWords: Record<Role, string> = { viewer: 'viewers', developer: 'developers', owner: 'owners' };

export function showRoleTooLow(ctx: Context, visit: MemberVisit, needed: Role): void {
  const who = needed === 'developer' ? 'developers and owners' : roleWords[needed];
  const sentence = `Only ${who} of ${visit.workspace.name} can do this. You are a ${visit.member.role}.`;
  refusePrograms(ctx, 'forbidden', sentence);
  ctx.status = 403;
  ctx.type = 'html';
  ctx.body = renderPage(
    <SettingsFrame visit={visit} section="overview" heading="You need another role" lead={sentence}>
      <Panel heading="What you can do" lead="An owner of the workspace can change your role under Members.">
        <div class="actions">
          <ButtonLink href={visit.path('/members')}>View members</ButtonLink>
          <ButtonLink href={visit.path('')}>Back to the overview</ButtonLink>
        </div>
      </Panel>
    </SettingsFrame>,
  );
}

/** Programs get an error in their own words instead of a page. */
function refusePrograms(ctx: Context, code: 'invalid_token' | 'forbidden', sentence: string): void {
  if (!ctx.get('accept').includes('text/html')) throw new TollgateError(code, sentence);
}
