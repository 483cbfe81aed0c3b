// The page of one sign-in trace: pages, token errors, charge and webhooks on one line of time. The
// company reads here what the client was not told.

import type { Context } from 'koa';
import type { ComponentChildren } from 'preact';
import { TollgateError } from '../../errors.ts';
import { seeOther } from '../../http/redirect.ts';
import { signInStepKeptSeconds, signInTraceSteps } from '../../limits/usage.ts';
import { Badge } from '../../page/badge.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts, type FactsProps } from '../../page/facts.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { TraceSearch } from './filter.tsx';
import { TraceLink } from './lists.tsx';
import { outcomeOf, type TraceMoment, timeLineOf } from './trace-line.ts';
import { readAttempts, readTrace, type Trace } from './trace-read.ts';

export function createTraceRoutes(): SettingsRoute[] {
  return [
    {
      method: 'GET',
      path: '/usage/traces',
      role: 'viewer',
      handle: (ctx, visit, request) => search(ctx, visit, request),
    },
    {
      method: 'GET',
      path: '/usage/traces/:trace',
      role: 'viewer',
      async handle(ctx, visit, { params }) {
        const wanted = { workspaceId: visit.workspace.id, name: params.trace ?? '' };
        const trace = await visit.lane.read((db) => readTrace(db, wanted));
        if (!trace && (await visit.lane.read((db) => readAttempts(db, wanted))).length > 0) {
          return seeOther(ctx, visit.path(`/usage/traces?trace=${wanted.name}`));
        }
        if (!trace) throw new TollgateError('not_found', 'There is nothing at this address.');
        ctx.body = renderPage(<TracePage visit={visit} trace={trace} />);
      },
    },
  ];
}

/** Whoever pastes a name is told on the spot when there is nothing under it. */
async function search(ctx: Context, visit: MemberVisit, { query }: SettingsRequest): Promise<void> {
  const name = (query.trace ?? '').trim();
  const wanted = { workspaceId: visit.workspace.id, name };
  if (name && (await visit.lane.read((db) => readTrace(db, wanted)))) {
    seeOther(ctx, visit.path(`/usage/traces/${name}`));
    return;
  }
  const attempts = await visit.lane.read((db) => readAttempts(db, wanted));
  const days = signInStepKeptSeconds / (24 * 60 * 60);
  if (name && attempts.length === 0) ctx.status = 404;
  ctx.body = renderPage(
    <SettingsFrame
      visit={visit}
      section="usage"
      heading="Find a sign-in"
      crumbs={[{ label: 'Usage', path: visit.path('/usage') }]}
      problem={
        name &&
        attempts.length === 0 &&
        `No sign-in in this workspace matches “${name.slice(0, 64)}”. Steps are kept for ${days} days, and a sign-in without pages has none. Search for its event instead.`
      }
    >
      <section class="panel" aria-label="Search">
        <TraceSearch visit={visit} value={name.slice(0, 64)} />
      </section>
      {attempts.length > 0 && <Attempts visit={visit} attempts={attempts} />}
    </SettingsFrame>,
  );
}

function Attempts({ visit, attempts }: { visit: MemberVisit; attempts: { traceId: string; at: Date }[] }) {
  return (
    <Panel
      heading="Attempts with this nonce"
      lead="Your client sent the same nonce for each of them. It must create a new one for every attempt."
    >
      <DataTable caption="Attempts with this nonce" head={['Began', 'Trace', '']}>
        {attempts.map(({ traceId, at }) => (
          <tr key={traceId}>
            <td>
              <Time seconds at={at} />
            </td>
            <td>
              <code>{traceId}</code>
            </td>
            <td>
              <TraceLink visit={visit} name={traceId} at={at} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Panel>
  );
}

function TracePage({ visit, trace }: { visit: MemberVisit; trace: Trace }) {
  const outcome = outcomeOf(trace);
  const moments = timeLineOf(trace);
  return (
    <SettingsFrame
      visit={visit}
      section="usage"
      heading="Sign-in trace"
      lead={<Badge kind={outcome.kind}>{outcome.label}</Badge>}
      crumbs={[{ label: 'Usage', path: visit.path('/usage') }]}
    >
      <Panel heading="About this sign-in">
        <Facts facts={factsOf(trace, moments)} />
      </Panel>
      <Panel
        heading="What happened"
        lead={trace.isCut && `The newest ${signInTraceSteps} steps; earlier ones are not shown.`}
      >
        <TimeLine visit={visit} moments={moments} />
      </Panel>
    </SettingsFrame>
  );
}

function factsOf({ traceId, application, events }: Trace, moments: TraceMoment[]): FactsProps['facts'] {
  const [first] = moments;
  return [
    ['Application', application.name],
    ['Client rules', application.clientRules],
    ...(first ? [fact('Began', <Time seconds at={first.at} />)] : []),
    ...(traceId ? [fact('Trace', <code>{traceId}</code>)] : []),
    ...events.map(({ id }, index) => fact(index === 0 ? 'Event' : `Event ${index + 1}`, <code>{id}</code>)),
  ];
}

function fact(name: string, value: ComponentChildren): FactsProps['facts'][number] {
  return [name, value];
}

function comparedTo({ label, values }: NonNullable<TraceMoment['compare']>): FactsProps['facts'][number] {
  return fact(
    label,
    <ul class="plain">
      {values.map((value) => (
        <li key={value}>
          <code>{value}</code>
        </li>
      ))}
    </ul>,
  );
}

/** Since the beginning: most of a sign-in happens within one second, or waits for a mail. */
function laterBy(at: Date, [first]: TraceMoment[]): string {
  const seconds = (at.getTime() - (first?.at ?? at).getTime()) / 1000;
  return `+${seconds < 60 ? seconds.toFixed(2) : Math.round(seconds)} s`;
}

function TimeLine({ visit, moments }: { visit: MemberVisit; moments: TraceMoment[] }) {
  return (
    <ol class="timeline">
      {moments.map(({ at, tone, title, text, detail, compare, todo, link }, index) => (
        <li key={index} class={`timeline-${tone}`}>
          <div class="timeline-head">
            <strong>{title}</strong>
            <span class="fine">
              <Time seconds at={at} /> {laterBy(at, moments)}
            </span>
          </div>
          {text && <p>{text}</p>}
          {detail && !compare && (
            <p>
              <code>{detail}</code>
            </p>
          )}
          {detail && compare && <Facts facts={[['Sent', <code>{detail}</code>], comparedTo(compare)]} />}
          {todo && <p class="todo">{todo}</p>}
          {link && (
            <p>
              <a href={visit.path(link.rest)}>{link.label}</a>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
