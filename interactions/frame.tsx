// What every page of a flow has around it: the application's logo and name, the way back to it, the languages.
import type { ComponentChildren } from 'preact';
import { Button, Form } from '../src/page/button.tsx';
import { CardPage } from '../src/page/layout.tsx';
import type { ScriptName } from '../src/page/scripts.ts';
import { BrandLinks, brandOf } from './brand.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { deviceTexts } from './texts/device.ts';
import { testModeTexts } from './texts/test-mode.ts';
import type { Visit } from './visit.ts';

export type FrameProps = {
  visit: Visit;
  heading: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
  /** Above the way back to the application. */
  foot?: ComponentChildren;
  /** The page has its own way to cancel. */
  cancels?: 'in the page';
  /** The page works without them. */
  scripts?: ScriptName[];
};

export function Frame({ visit, heading, lead, children, foot, cancels, scripts = [] }: FrameProps) {
  const { application, language } = visit;
  const way = cancels ? undefined : <CancelForm visit={visit} />;
  return (
    <CardPage
      language={language}
      title={`${heading} · ${application.name}`}
      heading={heading}
      lead={lead}
      scripts={scripts}
      {...brandOf(application, language)}
      foot={
        (foot || way || application.isTest) && (
          <>
            {foot}
            {way}
            {application.isTest && <TestModeNote visit={visit} />}
          </>
        )
      }
      below={
        <footer class="stage-foot">
          <BrandLinks language={language} application={application} />
          <LanguageSwitch
            language={language}
            action={visit.path('language')}
            token={visit.token('language')}
            page={{ field: 'step', value: visit.step }}
          />
        </footer>
      }
    >
      {children}
    </CardPage>
  );
}

function TestModeNote({ visit: { language, mailsTestersOnly } }: { visit: Visit }) {
  const texts = testModeTexts[language];
  return (
    <p class="fine">
      {texts.about} {mailsTestersOnly && texts.mailed}
    </p>
  );
}

function CancelForm({ visit }: { visit: Visit }) {
  const { texts, language, application, interaction } = visit;
  // There is nowhere to return to: the application waits on another device.
  const words = interaction.isOfDevice ? deviceTexts[language].cancel : texts.shared.cancel(application.name);
  return (
    <Form action={visit.path('cancel')} token={visit.token('cancel')}>
      <Button kind="soft">{words}</Button>
    </Form>
  );
}
