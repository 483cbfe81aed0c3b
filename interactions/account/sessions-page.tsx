// The page of a person's sessions: a row for each browser, with the pages of this service that are open in it.
import type { PageSession } from '../../src/accounts/page-session.ts';
import type { Session } from '../../src/accounts/session.ts';
import { Button, Form } from '../../src/page/button.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { deviceIn } from '../mail-request.ts';
import { Device } from './devices.tsx';
import { AccountFrame } from './frame.tsx';
import { Moment } from './moment.tsx';
import { sectionTexts } from './texts/sections.ts';
import { sessionTexts } from './texts/sessions.ts';
import { type AccountVisit, accountPath } from './visit.ts';

export const SESSIONS = '/sessions';
export const END_BROWSER = '/sessions/end';
export const END_PAGES = '/sessions/end-pages';
export const END_OTHERS = '/sessions/end-others';

type SessionsPageProps = {
  visit: AccountVisit;
  browsers: Session[];
  pages: PageSession[];
};

export function SessionsPage({ visit, browsers, pages }: SessionsPageProps) {
  const here = visit.session.sessionHash;
  const { sessions: texts } = sessionTexts[visit.language];
  const ofBrowser = (uidHash: string) => pages.filter(({ sessionHash }) => sessionHash === uidHash);
  // Their browser has not been used for so long that it is not listed, but they live.
  const alone = pages.filter(({ sessionHash }) => browsers.every(({ uidHash }) => uidHash !== sessionHash));
  const ordered = browsers.toSorted((a, b) => Number(b.uidHash === here) - Number(a.uidHash === here));
  return (
    <AccountFrame
      visit={visit}
      section="sessions"
      heading={sectionTexts[visit.language].sessions}
      lead={texts.lead}
    >
      <Panel
        heading={texts.browsers}
        lead={texts.browsersLead}
        // Also where nothing else is listed: what is half done elsewhere, and tokens of browsers that were closed, end too.
        actions={
          <Form action={accountPath(END_OTHERS)} token={visit.token(END_OTHERS)}>
            <Button kind="danger">{texts.endOthers}</Button>
          </Form>
        }
      >
        <ul class="entries">
          {ordered.map((browser) => (
            <Device
              key={browser.uidHash}
              language={visit.language}
              session={browser}
              isHere={browser.uidHash === here}
              end={browser.uidHash !== here && <EndBrowser visit={visit} browser={browser} />}
            >
              <Pages visit={visit} pages={ofBrowser(browser.uidHash)} />
            </Device>
          ))}
          {alone.map((page) => (
            <Device
              key={page.id}
              language={visit.language}
              session={page}
              isHere={page.id === visit.session.id}
            >
              <Pages visit={visit} pages={[page]} />
            </Device>
          ))}
        </ul>
      </Panel>
    </AccountFrame>
  );
}

function EndBrowser({ visit, browser }: { visit: AccountVisit; browser: Session }) {
  const { sessions: texts } = sessionTexts[visit.language];
  const device = deviceIn(visit.language, browser.userAgent);
  return (
    <Form
      action={accountPath(END_BROWSER)}
      token={visit.token(END_BROWSER)}
      label={`${texts.end}: ${device}`}
    >
      <input type="hidden" name="session" value={browser.uidHash} />
      <Button kind="secondary">{texts.end}</Button>
    </Form>
  );
}

/** Pages of our own have shorter sessions, which can be ended alone. */
function Pages({ visit, pages }: { visit: AccountVisit; pages: PageSession[] }) {
  const { sessions: texts } = sessionTexts[visit.language];
  const others = pages.filter(({ id }) => id !== visit.session.id);
  if (others.length === 0) return null;
  return (
    <ul class="device-pages">
      {others.map((page) => (
        <li key={page.id}>
          <span class="fine">
            {texts[page.area]} · {texts.lastUsed}:{' '}
            <Moment relative at={page.lastSeenAt} language={visit.language} />
          </span>
          <Form
            action={accountPath(END_PAGES)}
            token={visit.token(END_PAGES)}
            label={`${texts.end}: ${texts[page.area]}`}
          >
            <input type="hidden" name="session" value={page.id} />
            <Button kind="quiet">{texts.end}</Button>
          </Form>
        </li>
      ))}
    </ul>
  );
}
