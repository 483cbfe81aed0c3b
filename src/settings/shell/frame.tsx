// What every page of a workspace's settings has around it: navigation (a side bar; on a phone a menu that opens
// without script), the workspace, who is signed in, and what the page before left to say.
import type { ComponentChildren } from 'preact';
import { iconPath } from '../../page/assets.ts';
import { Copyable } from '../../page/copyable.tsx';
import { Document } from '../../page/document.tsx';
import { Notice } from '../../page/notice.tsx';
import type { ScriptName } from '../../page/scripts.ts';
import { SideNavigation } from './navigation.tsx';
import type { Section } from './sections.ts';
import type { MemberVisit } from './visit.ts';

export type SettingsFrameProps = {
  visit: MemberVisit;
  section: Section;
  heading: string;
  /** In the tab of the browser, where several pages have one heading. */
  title?: string;
  lead?: ComponentChildren;
  /** Buttons beside the heading. */
  actions?: ComponentChildren;
  /** The pages above this one, from the section down: its own name is the heading. */
  crumbs?: { label: string; path: string }[];
  /** Above everything else: what is wrong with the form that came in. */
  problem?: ComponentChildren;
  /** Beside those that every page has. */
  scripts?: ScriptName[];
  children?: ComponentChildren;
};

export function SettingsFrame(props: SettingsFrameProps) {
  const {
    visit,
    section,
    heading,
    title = heading,
    lead,
    actions,
    crumbs = [],
    problem,
    scripts = [],
    children,
  } = props;
  return (
    <Document
      language="en"
      title={`${title} · ${visit.workspace.name} · Tollgate`}
      scripts={['copy', 'form', 'tabs', 'time', ...scripts]}
    >
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="settings">
        <aside class="side" aria-label="Workspace">
          <a class="product" href="/settings">
            <img src={iconPath} width="24" height="24" alt="" />
            Tollgate
          </a>
          <SideNavigation visit={visit} section={section} />
        </aside>
        <header class="topbar">
          <details class="menu">
            <summary>{visit.workspace.name}</summary>
            <div class="menu-content">
              <SideNavigation visit={visit} section={section} />
            </div>
          </details>
        </header>
        <main class="content" id="content">
          {crumbs.length > 0 && <Crumbs crumbs={crumbs} />}
          <div class="content-head">
            <div class="content-words">
              <h1>{heading}</h1>
              {lead && <p class="lead">{lead}</p>}
            </div>
            {actions && <div class="content-actions">{actions}</div>}
          </div>
          {problem && <Notice kind="problem">{problem}</Notice>}
          <FlashNotices visit={visit} />
          {children}
        </main>
      </div>
    </Document>
  );
}

function Crumbs({ crumbs }: { crumbs: { label: string; path: string }[] }) {
  return (
    <nav class="crumbs" aria-label="Path">
      <ol>
        {crumbs.map(({ label, path }) => (
          <li key={path}>
            <a href={path}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function FlashNotices({ visit: { flash } }: { visit: MemberVisit }) {
  const { notice, secrets = [] } = flash;
  return (
    <>
      {notice && <Notice kind="success">{notice}</Notice>}
      {secrets.length > 0 && (
        <section class="panel secrets" aria-label="Shown once">
          <Notice kind="warning">
            Copy this now and store it with your secrets. You won’t be able to see it again.
          </Notice>
          {secrets.map(({ label, value }) => (
            <Copyable key={label} label={label} value={value} />
          ))}
        </section>
      )}
    </>
  );
}
