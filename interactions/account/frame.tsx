// What every page of the account has around it: whose account it is, the sections, the languages, the way out.
import type { ComponentChildren } from 'preact';
import { FIRST_PARTY_NAME } from '../../src/first-party/clients.ts';
import { iconPath } from '../../src/page/assets.ts';
import { Avatar } from '../../src/page/avatar.tsx';
import { Button, Form } from '../../src/page/button.tsx';
import { Document } from '../../src/page/document.tsx';
import { Icon } from '../../src/page/icon.tsx';
import { Notice } from '../../src/page/notice.tsx';
import type { ScriptName } from '../../src/page/scripts.ts';
import { LanguageSwitch } from '../language-switch.tsx';
import { catalogue } from '../languages.ts';
import { SIGN_OUT } from './entry.tsx';
import { LANGUAGE } from './language.ts';
import { type Section, sectionNames, sections } from './sections.ts';
import { sectionTexts } from './texts/sections.ts';
import { type AccountVisit, accountPath } from './visit.ts';

export type AccountFrameProps = {
  visit: AccountVisit;
  section: Section;
  heading: string;
  lead?: ComponentChildren;
  /** Of a page below its section's first one: where the way back leads. */
  below?: { path: string; label: string } | undefined;
  scripts?: ScriptName[];
  children: ComponentChildren;
};

export function AccountFrame(props: AccountFrameProps) {
  const { visit, section, heading, lead, below, scripts = [], children } = props;
  const { texts, language } = visit;
  return (
    <Document
      language={language}
      title={`${heading} · ${FIRST_PARTY_NAME}`}
      scripts={['form', 'tabs', 'time', ...scripts]}
    >
      <a class="skip" href="#content">
        {sectionTexts[language].skip}
      </a>
      <header class="account-bar">
        <a class="product" href={accountPath('')}>
          <img src={iconPath} width="24" height="24" alt="" />
          {FIRST_PARTY_NAME}
        </a>
        <Form action={accountPath(SIGN_OUT)} token={visit.token(SIGN_OUT)} label={texts.signOut}>
          <Button kind="soft">
            <Icon name="sign-out" />
            {texts.signOut}
          </Button>
        </Form>
      </header>
      <div class="account-grid">
        <aside class="account-side" aria-label={texts.account}>
          <Person visit={visit} />
          <Navigation visit={visit} section={section} />
        </aside>
        <main class="account" id="content">
          <div class="wide-head">
            {below && (
              <p>
                <a href={accountPath(below.path)}>← {below.label}</a>
              </p>
            )}
            <h1>{heading}</h1>
            {lead && <p class="lead">{lead}</p>}
          </div>
          <AccountNotice visit={visit} />
          {children}
        </main>
      </div>
      <footer class="account-foot">
        <LanguageSwitch
          language={language}
          action={accountPath(LANGUAGE)}
          token={visit.token(LANGUAGE)}
          page={{ field: 'page', value: visit.here }}
        />
      </footer>
    </Document>
  );
}

/** Who is signed in. */
export function Person({ visit, boxed }: { visit: AccountVisit; boxed?: boolean }) {
  const { account, texts } = visit;
  return (
    <div class={boxed ? 'account-person boxed' : 'account-person'}>
      <Avatar name={account.name ?? account.email} />
      <p>
        {account.name && <strong>{account.name}</strong>}
        <span class="unseen">{texts.signedInAs} </span>
        <span class="fine">{account.email}</span>
      </p>
    </div>
  );
}

function Navigation({ visit: { language }, section }: Pick<AccountFrameProps, 'visit' | 'section'>) {
  const texts = sectionTexts[language];
  return (
    <nav class="account-nav" data-scrolls aria-label={texts.navigation}>
      <ul class="nav-list">
        {sectionNames.map((name) => (
          <li key={name}>
            <a
              class="nav-link"
              href={accountPath(sections[name].path)}
              {...(name === section ? { 'aria-current': 'page' as const } : {})}
            >
              <Icon name={sections[name].icon} />
              {texts[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The way back to the first page of a section. */
export function backTo({ language }: Pick<AccountVisit, 'language'>, section: Section) {
  return { path: sections[section].path, label: sectionTexts[language][section] };
}

export function AccountNotice({ visit }: { visit: AccountVisit }) {
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
