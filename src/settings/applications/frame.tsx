// What every page about one application has around it: its name, how it stands, and the tabs.
// A deleted application has only the tabs that outlive it.
import type { ComponentChildren } from 'preact';
import { type Application, kindOf } from '../../applications/application.ts';
import { Badge } from '../../page/badge.tsx';
import { Mark } from '../../page/layout.tsx';
import type { ScriptName } from '../../page/scripts.ts';
import { Tabs } from '../../page/tabs.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit } from '../shell/visit.ts';

const tabs = {
  overview: { label: 'Overview', path: '' },
  credentials: { label: 'Credentials', path: '/credentials' },
  addresses: { label: 'Addresses', path: '/addresses', ofPeople: true },
  appearance: { label: 'Appearance', path: '/appearance', ofPeople: true },
  balance: { label: 'Balance', path: '/balance', outlives: true, ofPeople: true },
  customers: { label: 'Customers', path: '/customers', ofPeople: true },
} as const;

export type ApplicationTab = keyof typeof tabs;
export type FramedApplication = Pick<
  Application,
  'id' | 'name' | 'clientType' | 'isService' | 'isTest' | 'disabledAt' | 'deletedAt'
>;

export type ApplicationFrameProps = {
  visit: MemberVisit;
  application: FramedApplication;
  tab: ApplicationTab;
  /** A page below a tab has a heading of its own; without one the application's name is the heading. */
  heading?: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  problem?: ComponentChildren;
  scripts?: ScriptName[];
  children?: ComponentChildren;
};

export function ApplicationFrame(props: ApplicationFrameProps) {
  const { visit, application, tab, heading, lead, actions, problem, scripts, children } = props;
  const own = { label: application.name, path: applicationPath(visit, application) };
  return (
    <SettingsFrame
      visit={visit}
      section="applications"
      heading={heading ?? application.name}
      title={`${heading ?? tabs[tab].label} · ${application.name}`}
      lead={lead ?? <ApplicationState application={application} />}
      actions={actions}
      problem={problem}
      {...(scripts ? { scripts } : {})}
      crumbs={[
        { label: 'Applications', path: visit.path('/applications') },
        ...(heading && !application.deletedAt ? [own] : []),
      ]}
    >
      <ApplicationTabs visit={visit} application={application} tab={tab} />
      {children}
    </SettingsFrame>
  );
}

/** `rest` below the application: `/secrets`. */
export function applicationPath(
  visit: Pick<MemberVisit, 'path'>,
  application: Pick<Application, 'id'>,
  rest = '',
): string {
  return visit.path(applicationRest(application, rest));
}

/** The same below the workspace, as tokens and redirects want it. */
export function applicationRest({ id }: Pick<Application, 'id'>, rest = ''): string {
  return `/applications/${id}${rest}`;
}

type ApplicationNameProps = {
  visit: Pick<MemberVisit, 'path'>;
  application: Pick<Application, 'id' | 'name' | 'logo' | 'clientId'>;
  /** All that it stands among. */
  all: Pick<Application, 'name'>[];
  children?: ComponentChildren;
};

/** Where two are called the same, what they differ in is part of the name. */
export function distinctName(
  { name, clientId }: Pick<Application, 'name' | 'clientId'>,
  all: Pick<Application, 'name'>[],
): string {
  return all.filter((other) => other.name === name).length > 1 ? `${name} (…${clientId.slice(-6)})` : name;
}

/** In lists: logo and name. */
export function ApplicationName({ visit, application, all, children }: ApplicationNameProps) {
  const { id, name, logo } = application;
  return (
    <div class="with-mark row-words-wide">
      <Mark small name={name} logoPath={logo ? `/applications/${id}/logo` : undefined} />
      <div class="row-words">
        <a href={applicationPath(visit, application)}>{distinctName(application, all)}</a>
        {children && <span class="fine">{children}</span>}
      </div>
    </div>
  );
}

/** docs/decisions/1101 */
export function TestModeBadge() {
  return <Badge kind="warning">Test mode</Badge>;
}

type ApplicationStateProps = {
  application: FramedApplication;
  /** The kind stands elsewhere. */
  alone?: boolean;
};

export function ApplicationState({ application, alone }: ApplicationStateProps) {
  const { isTest, disabledAt, deletedAt } = application;
  return (
    <span class="badges">
      {deletedAt && <Badge kind="bad">Deleted</Badge>}
      {disabledAt && !deletedAt && <Badge kind="bad">Disabled</Badge>}
      {isTest && <TestModeBadge />}
      {!isTest && !disabledAt && !deletedAt && <Badge kind="good">Live</Badge>}
      {!alone && <Badge kind="neutral">{kindName(application)}</Badge>}
    </span>
  );
}

const kindNames = { public: 'Public', confidential: 'Confidential', service: 'Service' };

export function kindName(application: Pick<Application, 'clientType' | 'isService'>): string {
  return kindNames[kindOf(application)];
}

function ApplicationTabs(props: Pick<ApplicationFrameProps, 'visit' | 'application' | 'tab'>) {
  const { visit, application, tab } = props;
  const shown = Object.entries(tabs)
    .filter(([, entry]) => !application.deletedAt || 'outlives' in entry)
    .filter(([, entry]) => !application.isService || !('ofPeople' in entry));
  return (
    <Tabs
      label="Application"
      tabs={shown.map(([name, { label, path }]) => ({
        label,
        path: applicationPath(visit, application, path),
        isCurrent: name === tab,
      }))}
    />
  );
}
