// The way from any page of a workspace's settings to every other: sections, other workspaces, the way out.
import { isAtLeast } from '../../applications/member.ts';
import { CSRF_FIELD } from '../../http/form.ts';
import { Icon } from '../../page/icon.tsx';
import { aside, type Section, sections } from './sections.ts';
import type { MemberVisit } from './visit.ts';

type NavigationProps = { visit: MemberVisit; section: Section };

export function SideNavigation({ visit, section }: NavigationProps) {
  const names = Object.keys(sections).filter((name): name is Section => !aside.includes(name as Section));
  return (
    <>
      <WorkspaceSwitch visit={visit} />
      <nav aria-label="Settings">
        <ul class="nav-list">
          {names
            .filter((name) => isAtLeast(visit.member.role, sections[name].role))
            .map((name) => (
              <li key={name}>
                <SectionLink visit={visit} name={name} section={section} />
              </li>
            ))}
        </ul>
      </nav>
      <div class="side-foot">
        <a class="nav-link" href="/docs">
          <Icon name="documentation" />
          Documentation
        </a>
        <a class="nav-link" href={visit.apiReference}>
          <Icon name="reference" />
          API reference
        </a>
        <PersonMenu visit={visit} section={section} />
      </div>
    </>
  );
}

function PersonMenu({ visit, section }: NavigationProps) {
  const { name, email, role } = visit.member;
  return (
    <details class="person-menu">
      <summary>
        <span class="avatar" aria-hidden="true">
          {(name ?? email).trim().charAt(0).toLocaleUpperCase()}
        </span>
        <span class="person">
          <strong>{name ?? email}</strong>
          <span>{name ? email : role}</span>
        </span>
      </summary>
      <div class="person-links">
        <a class="nav-link" href="/account">
          <Icon name="account" />
          Your account
        </a>
        <SectionLink visit={visit} name="sessions" section={section} />
        <form method="post" action={visit.signOut.path}>
          <input type="hidden" name={CSRF_FIELD} value={visit.signOut.token} />
          <button type="submit" class="nav-link nav-button">
            <Icon name="sign-out" />
            Sign out
          </button>
        </form>
      </div>
    </details>
  );
}

function SectionLink({ visit, name, section }: NavigationProps & { name: Section }) {
  const { label, path } = sections[name];
  return (
    <a
      class="nav-link"
      href={visit.path(path)}
      {...(name === section ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon name={name} />
      {label}
    </a>
  );
}

function WorkspaceSwitch({ visit }: { visit: MemberVisit }) {
  const others = visit.workspaces.filter(({ id }) => id !== visit.workspace.id);
  return (
    <details class="workspace-switch">
      <summary>
        <span>
          <span class="unseen">Workspace: </span>
          {visit.workspace.name}
        </span>
      </summary>
      <ul>
        {others.map(({ id, name }) => (
          <li key={id}>
            <a class="nav-link" href={`/settings/${id}`}>
              <Icon name="arrow" />
              {name}
            </a>
          </li>
        ))}
        <li>
          <a class="nav-link" href="/settings/workspaces/new">
            <Icon name="plus" />
            New workspace
          </a>
        </li>
      </ul>
    </details>
  );
}
