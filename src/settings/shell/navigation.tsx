// The way from any page of a workspace's settings to every other: sections, other workspaces, the way out.
import { isAtLeast, type Role } from '../../applications/member.ts';
import { CSRF_FIELD } from '../../http/form.ts';
import { type Section, sections } from './sections.ts';
import type { MemberVisit } from './visit.ts';

type NavigationProps = { visit: MemberVisit; section: Section };

export function SideNavigation({ visit, section }: NavigationProps) {
  return (
    <>
      <WorkspaceSwitch visit={visit} />
      <nav aria-label="Settings">
        <ul class="nav-list">
          {mainSections(visit.member.role).map((name) => (
            <li key={name}>
              <SectionLink visit={visit} name={name} section={section} />
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <p class="person">
          {visit.member.name && <strong>{visit.member.name}</strong>}
          {visit.member.email}
        </p>
        <SectionLink visit={visit} name="sessions" section={section} />
        <form method="post" action={visit.signOut.path}>
          <input type="hidden" name={CSRF_FIELD} value={visit.signOut.token} />
          <button type="submit" class="nav-link nav-button">
            Sign out
          </button>
        </form>
      </div>
    </>
  );
}

function mainSections(role: Role): Section[] {
  const names = Object.keys(sections).filter((name): name is Section => name !== 'sessions');
  return names.filter((name) => isAtLeast(role, sections[name].role));
}

function SectionLink({ visit, name, section }: NavigationProps & { name: Section }) {
  const { label, path } = sections[name];
  return (
    <a
      class="nav-link"
      href={visit.path(path)}
      {...(name === section ? { 'aria-current': 'page' as const } : {})}
    >
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
              {name}
            </a>
          </li>
        ))}
        <li>
          <a class="nav-link" href="/settings/workspaces/new">
            New workspace
          </a>
        </li>
      </ul>
    </details>
  );
}
