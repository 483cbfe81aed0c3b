// What every page of the account has around it: whose account it is, the sections, the languages, the way out.
import type { ComponentChildren } from 'preact';
import { FIRST_PARTY_NAME } from '../../src/first-party/clients.ts';
import { Button, Form } from '../../src/page/button.tsx';
import { Document } from '../../src/page/document.tsx';
import { Notice } from '../../src/page/notice.tsx';
import type { ScriptName } from '../../src/page/scripts.ts';
import { catalogue } from '../languages.ts';
import { SIGN_OUT } from './entry.tsx';
import { type AccountVisit, accountPath } from './visit.ts';

export type AccountFrameProps = {
  visit: AccountVisit;
  heading: string;
  lead?: ComponentChildren;
  /** A page below the overview has the way back to it, or to the page between. */
  below?: boolean | { path: string; label: string };
  scripts?: ScriptName[];
  children: ComponentChildren;
};

export function AccountFrame({ visit, heading, lead, below, scripts = [], children }: AccountFrameProps) {
  const { texts, language, account } = visit;
  const above = below === true ? { path: '', label: texts.heading } : below;
  return (
    <Document language={language} title={`${heading} · ${FIRST_PARTY_NAME}`} scripts={scripts}>
      <main class="wide account">
        <div class="wide-head">
          {above && (
            <p>
              <a href={accountPath(above.path)}>← {above.label}</a>
            </p>
          )}
          <h1>{heading}</h1>
          <p class="lead">{lead ?? account.email}</p>
        </div>
        <AccountNotice visit={visit} />
        {children}
        <footer class="row">
          <span class="fine">
            {texts.signedInAs} {account.email}
          </span>
          <Form action={accountPath(SIGN_OUT)} token={visit.token(SIGN_OUT)} label={texts.signOut}>
            <Button kind="quiet">{texts.signOut}</Button>
          </Form>
        </footer>
      </main>
    </Document>
  );
}

function AccountNotice({ visit }: { visit: AccountVisit }) {
  const { done } = visit.flash;
  const problem = problemText(visit);
  if (problem) return <Notice kind="problem">{problem}</Notice>;
  const sentences: Record<string, string> = visit.texts.done;
  return done && sentences[done] ? <Notice kind="success">{sentences[done]}</Notice> : null;
}

/** What the page before could not do, in the person's language. */
export function problemText({ texts, language, flash }: AccountVisit): string | undefined {
  const sentences: Record<string, string> = { ...catalogue[language].problems, ...texts.problems };
  return flash.problem && (sentences[flash.problem] ?? texts.problems.unknown);
}
