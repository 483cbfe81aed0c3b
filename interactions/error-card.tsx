// What an error page looks like. Where an application is known it has that one's name, logo and look, and within a flow the
// languages, other ways to sign in and the way back. What a machine needs to know stands below, for developers only.
import type { Context } from 'koa';
import type { ApplicationWithAppearance } from '../src/applications/appearance.ts';
import { ButtonLink } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { CardPage } from '../src/page/layout.tsx';
import { BrandLinks, brandOf } from './brand.tsx';
import { Frame } from './frame.tsx';
import { catalogue, type Language } from './languages.ts';
import { testModeTexts } from './texts/test-mode.ts';
import type { Visit } from './visit.ts';

/** The way on: a page of ours, or the application's. */
export type Link = { path: string; label: string };
export type Shown = {
  symbol: 'problem' | 'information' | 'waiting';
  /** Of a flow that is under way. */
  visit?: Visit | undefined;
  /** Of a flow that is over, or never began. */
  application?: ApplicationWithAppearance | undefined;
  language: Language;
  heading: string;
  text: string;
  back?: Link | undefined;
  developer?: [code: string, description: string] | undefined;
  /** Of an application in test mode. */
  callback?: { sent: string; registered: string[] } | undefined;
  /** Of the request, and of the attempt where there is one. */
  references?: (string | undefined)[];
};

export function showError(ctx: Context, shown: Shown): void {
  ctx.type = 'html';
  ctx.body = renderPage(<ErrorPage {...shown} />);
}

function ErrorPage(shown: Shown) {
  const { symbol, visit, application, language, heading, text, back } = shown;
  const hasDetails = shown.developer || shown.references?.some((reference) => reference !== undefined);
  const foot = hasDetails ? <Details {...shown} /> : undefined;
  const ways = (
    <div class="stack-tight">
      {back && <ButtonLink href={back.path}>{back.label}</ButtonLink>}
      {visit && isSigningIn(visit) && (
        <ButtonLink kind="quiet" href={visit.path('sign-in')}>
          {visit.texts.social.otherWay}
        </ButtonLink>
      )}
    </div>
  );
  if (visit)
    return (
      <Frame visit={visit} heading={heading} lead={text} foot={foot}>
        {ways}
      </Frame>
    );
  const look = application ? brandOf(application, language) : { symbol };
  return (
    <CardPage
      language={language}
      title={application ? `${heading} · ${application.name}` : heading}
      heading={heading}
      lead={text}
      foot={foot}
      below={application && <BrandLinks language={language} application={application} />}
      {...look}
    >
      {back && ways}
    </CardPage>
  );
}

/** Somebody who is signed in and asked for consent has no other way in to choose. */
function isSigningIn({ interaction, step }: Visit): boolean {
  return (interaction.asks === 'sign_in' || interaction.asks === 'register') && step !== 'sign-in';
}

function Details({ language, developer, callback, references = [] }: Shown) {
  const { errors } = catalogue[language];
  const known = references.filter((reference) => reference !== undefined);
  return (
    <dl class="meta fine">
      {developer && <dt>{errors.forDevelopers}</dt>}
      {developer && (
        <dd>
          <code>{developer[0]}</code> {developer[1]}
        </dd>
      )}
      {callback && <dt>{testModeTexts[language].sent}</dt>}
      {callback && (
        <dd>
          <code>{callback.sent}</code>
        </dd>
      )}
      {callback && <dt>{testModeTexts[language].registered}</dt>}
      {callback?.registered.map((uri) => (
        <dd key={uri}>
          <code>{uri}</code>
        </dd>
      ))}
      {known.length > 0 && <dt>{errors.reference}</dt>}
      {known.map((reference) => (
        <dd key={reference}>
          <code>{reference}</code>
        </dd>
      ))}
    </dl>
  );
}
