// The page of a person's sessions, and what the overview says about them.
import type { ComponentChildren } from 'preact';
import type { PageSession } from '../../src/accounts/page-session.ts';
import type { Session } from '../../src/accounts/session.ts';
import { Badge } from '../../src/page/badge.tsx';
import { Button, ButtonLink, Form } from '../../src/page/button.tsx';
import { deviceParts } from '../../src/page/device.ts';
import { Panel } from '../../src/page/panel.tsx';
import { AccountFrame } from './frame.tsx';
import { Moment } from './moment.tsx';
import { sessionTexts } from './texts/sessions.ts';
import { type AccountVisit, accountPath } from './visit.ts';

export const SESSIONS = '/sessions';
export const END_BROWSER = '/sessions/end';
export const END_PAGES = '/sessions/end-pages';
export const END_OTHERS = '/sessions/end-others';

/** For the overview. */
export function SessionsPanel({ visit }: { visit: AccountVisit }) {
  const { sessions: texts } = sessionTexts[visit.language];
  return (
    <Panel
      heading={texts.heading}
      lead={texts.lead}
      actions={<ButtonLink href={accountPath(SESSIONS)}>{texts.show}</ButtonLink>}
    />
  );
}

type SessionsPageProps = {
  visit: AccountVisit;
  browsers: Session[];
  pages: PageSession[];
};

export function SessionsPage({ visit, browsers, pages }: SessionsPageProps) {
  const here = visit.session.sessionHash;
  const { sessions: texts } = sessionTexts[visit.language];
  return (
    <AccountFrame visit={visit} heading={texts.heading} lead={texts.lead} below>
      {/* Also where none is listed: what is half done elsewhere, and tokens of browsers that were closed, end as well. */}
      <div class="actions">
        <Form action={accountPath(END_OTHERS)} token={visit.token(END_OTHERS)}>
          <Button kind="danger">{texts.endOthers}</Button>
        </Form>
      </div>
      <Panel heading={texts.browsers} lead={browsers.length > 0 ? texts.browsersLead : texts.noBrowsers}>
        {browsers.length > 0 && (
          <ul class="money-rows">
            {browsers.map((browser) => (
              <Row
                key={browser.uidHash}
                visit={visit}
                session={browser}
                isHere={browser.uidHash === here}
                end={browser.uidHash === here ? undefined : { path: END_BROWSER, id: browser.uidHash }}
              />
            ))}
          </ul>
        )}
      </Panel>
      <Panel heading={texts.pages} lead={texts.pagesLead}>
        <ul class="money-rows">
          {pages.map((session) => (
            <Row
              key={session.id}
              visit={visit}
              session={session}
              isHere={session.id === visit.session.id}
              end={session.id === visit.session.id ? undefined : { path: END_PAGES, id: session.id }}
            >
              {texts[session.area]} ·{' '}
            </Row>
          ))}
        </ul>
      </Panel>
    </AccountFrame>
  );
}

type RowProps = {
  visit: AccountVisit;
  session: Pick<Session, 'userAgent' | 'address' | 'lastSeenAt' | 'createdAt'>;
  isHere: boolean;
  /** Without one, the way out below is the way to end it. */
  end: { path: string; id: string } | undefined;
  children?: ComponentChildren;
};

function Row({ visit, session, isHere, end, children }: RowProps) {
  const { sessions: texts } = sessionTexts[visit.language];
  const device = deviceText(visit, session.userAgent);
  return (
    <li>
      <div>
        <strong>
          {children}
          {device}
        </strong>{' '}
        {isHere && <Badge kind="good">{texts.here}</Badge>}
        <p class="fine">
          {texts.lastUsed}: <Moment at={session.lastSeenAt} language={visit.language} /> · {session.address}
        </p>
        <p class="fine">
          {texts.signedIn}: <Moment at={session.createdAt} language={visit.language} />
        </p>
      </div>
      {end && (
        <Form action={accountPath(end.path)} token={visit.token(end.path)} label={`${texts.end}: ${device}`}>
          <input type="hidden" name="session" value={end.id} />
          <Button kind="quiet">{texts.end}</Button>
        </Form>
      )}
    </li>
  );
}

function deviceText({ language }: AccountVisit, userAgent: string): string {
  const { sessions: texts } = sessionTexts[language];
  const { browser, system } = deviceParts(userAgent);
  if (browser && system) return texts.on(browser, system);
  return browser ?? system ?? texts.unknown;
}
