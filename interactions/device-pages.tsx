// The pages around a device's sign-in that the engine asks for: the one where its code is typed, and how it went.
import type { Context } from 'koa';
import type { Database } from '../src/database/connection.ts';
import type { FormGuard } from '../src/http/form.ts';
import { userCodeCharacters } from '../src/limits/devices.ts';
import { Button, ButtonLink } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { attributes, Labelled } from '../src/page/field.tsx';
import { CardPage } from '../src/page/layout.tsx';
import { BrandLinks, brandOf } from './brand.tsx';
import { LanguageFoot } from './language-choice.tsx';
import { catalogue, type Language, languageOf } from './languages.ts';
import { findService } from './service.ts';
import { type DeviceTexts, deviceTexts } from './texts/device.ts';

type CodePage = {
  /** The engine makes and checks it; of it only the token is used. */
  form: string;
  typed: string | undefined;
};

export function showDeviceCode(ctx: Context, formGuard: FormGuard, { form, typed }: CodePage): void {
  const language = languageOf(ctx);
  const texts = deviceTexts[language];
  const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(form) ?? [];
  const problem = problemOf(texts, ctx.query.problem);
  if (problem) ctx.status = 400;
  const again = problem ? `?problem=${ctx.query.problem}` : typed && `?user_code=${typed}`;
  const page = `/device${again ?? ''}`;
  const field = { name: 'user_code', label: texts.codeLabel, value: typed, problem, required: true };
  ctx.type = 'html';
  ctx.body = renderPage(
    <CardPage
      language={language}
      title={texts.codeHeading}
      heading={texts.codeHeading}
      lead={typed === undefined ? texts.codeLead : texts.codeTyped}
      foot={<p class="fine">{texts.warning}</p>}
      below={<LanguageFoot {...{ ctx, formGuard, language, page }} />}
    >
      <form class="stack" method="post" action="/device">
        <input type="hidden" name="xsrf" value={xsrf} />
        <input type="hidden" name="confirm" value="yes" />
        <Labelled {...field}>
          <input
            {...attributes(field)}
            class="input input-code"
            type="text"
            autocomplete="off"
            autoCapitalize="characters"
            spellcheck={false}
            maxLength={userCodeCharacters}
          />
        </Labelled>
        <Button>{texts.continue}</Button>
      </form>
    </CardPage>,
  );
}

/** As src/oidc/devices/device-flow.ts writes it into the address. */
function problemOf(texts: DeviceTexts, problem: unknown): string | undefined {
  const { unknown, over, used, empty, page_expired } = texts;
  const words: Record<string, string> = { unknown, over, used, empty, page_expired };
  return typeof problem === 'string' && Object.hasOwn(words, problem) ? words[problem] : undefined;
}

type Ending = { clientId: string | undefined; uiLocales: string | undefined };

/** Where somebody sees what has access, and ends it. */
const toAccount: Way = { path: '/account', label: (language) => catalogue[language].errors.toAccount };
const toDevice: Way = { path: '/device', label: (language) => deviceTexts[language].codeHeading };

export function showDeviceConnected(ctx: Context, db: Database, ending: Ending): Promise<void> {
  return showEnding(ctx, db, ending, {
    wordsOf: (texts, name) => [texts.doneHeading, texts.done(name)],
    symbol: 'success',
    way: toAccount,
  });
}

export function showDeviceRefused(ctx: Context, db: Database, ending: Ending): Promise<void> {
  return showEnding(ctx, db, ending, {
    wordsOf: (texts) => [texts.refusedHeading, texts.refused],
    symbol: 'information',
    way: toDevice,
  });
}

type Way = { path: string; label(language: Language): string };
type Outcome = {
  wordsOf(texts: DeviceTexts, name: string): [heading: string, lead: string];
  symbol: 'success' | 'information';
  way: Way;
};

async function showEnding(
  ctx: Context,
  db: Database,
  { clientId, uiLocales }: Ending,
  { wordsOf, symbol, way }: Outcome,
): Promise<void> {
  const application = clientId === undefined ? undefined : await findService(db, clientId);
  const language: Language = languageOf(ctx, uiLocales);
  const [heading, lead] = wordsOf(deviceTexts[language], application?.name ?? '');
  ctx.type = 'html';
  ctx.body = renderPage(
    <CardPage
      language={language}
      title={application ? `${heading} · ${application.name}` : heading}
      heading={heading}
      lead={lead}
      symbol={symbol}
      styles={application && brandOf(application, language).styles}
      below={application && <BrandLinks language={language} application={application} />}
    >
      <ButtonLink href={way.path}>{way.label(language)}</ButtonLink>
    </CardPage>,
  );
}
