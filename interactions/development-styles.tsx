// The living style guide: the components of the pages in each of their states, in light and in dark, on one page of the
// development mode. In any other configuration the route does not exist.
import type { Middleware } from 'koa';
import type { ComponentChildren } from 'preact';
import { about } from '../src/http/routing.ts';
import { logoBytes } from '../src/limits/pages.ts';
import { Badge } from '../src/page/badge.tsx';
import { Button, ButtonLink } from '../src/page/button.tsx';
import { Chart } from '../src/page/chart.tsx';
import { CheckFields, RadioFields, SelectField } from '../src/page/choice-field.tsx';
import { Copyable } from '../src/page/copyable.tsx';
import { renderPage } from '../src/page/document.tsx';
import { EmptyState } from '../src/page/empty.tsx';
import { Facts } from '../src/page/facts.tsx';
import { CodeField, EmailField, NumberField, TextField } from '../src/page/field.tsx';
import { PictureField } from '../src/page/file-field.tsx';
import { Icon, iconNames } from '../src/page/icon.tsx';
import { Json } from '../src/page/json.tsx';
import { Mark, WidePage } from '../src/page/layout.tsx';
import { Notice } from '../src/page/notice.tsx';
import { Panel } from '../src/page/panel.tsx';
import { Stat, StatGrid } from '../src/page/stat.tsx';
import { DataTable } from '../src/page/table.tsx';
import { Tabs } from '../src/page/tabs.tsx';
import { Time } from '../src/page/time.tsx';

export const serveStyleGuide: Middleware = about(['/dev/styles'], (ctx, next) => {
  if (ctx.method !== 'GET') return next();
  ctx.type = 'html';
  ctx.body = renderPage(
    <WidePage
      language="en"
      title="Style guide · Tollgate"
      heading="Style guide"
      lead="Every component of the pages, in each of its states, in light and in dark."
    >
      <Gallery look="light" />
      <Gallery look="dark" />
    </WidePage>,
  );
});

type Look = 'light' | 'dark';

function Gallery({ look }: { look: Look }) {
  return (
    <section class={`gallery look-${look}`} aria-label={look}>
      <Part heading={`Type and colour, ${look}`}>
        <p class="gallery-title">A page’s heading</p>
        <p class="lead">The lead says what the page is for.</p>
        <p>
          Text, with <a href="#link">a way elsewhere</a> and <code>code</code>.
        </p>
        <p class="fine">Fine print, for what need not be read.</p>
      </Part>
      <Part heading={`Icons, ${look}`}>
        <ul class="gallery-icons">
          {iconNames.map((name) => (
            <li key={name}>
              <Icon name={name} /> {name}
            </li>
          ))}
        </ul>
        <div class="actions">
          {['Acme', 'Bora', 'Cedar'].map((name) => (
            <Mark key={name} small name={name} />
          ))}
        </div>
      </Part>
      <Buttons look={look} />
      <Words look={look} />
      <Fields look={look} />
      <Figures look={look} />
    </section>
  );
}

function Buttons({ look }: { look: Look }) {
  const kinds = ['primary', 'secondary', 'danger', 'final', 'quiet', 'soft'] as const;
  return (
    <Part heading={`Buttons, ${look}`}>
      <div class="actions">
        {kinds.map((kind) => (
          <Button key={kind} kind={kind}>
            {kind}
          </Button>
        ))}
        <ButtonLink href="#link">A link</ButtonLink>
        <span class="button button-primary button-busy">At work</span>
      </div>
    </Part>
  );
}

function Words({ look }: { look: Look }) {
  return (
    <Part heading={`Messages, ${look}`}>
      <Notice kind="success">It is saved.</Notice>
      <Notice kind="information">It is being switched on.</Notice>
      <Notice kind="warning">The balance is low.</Notice>
      <Notice kind="problem">Nothing was saved. See what is wrong below.</Notice>
      <div class="actions">
        <Badge kind="good">Active</Badge>
        <Badge kind="warning">Failing</Badge>
        <Badge kind="bad">Disabled</Badge>
        <Badge kind="neutral">Paused</Badge>
      </div>
      <EmptyState heading="Nothing yet">
        <p>What will be here, and how to begin.</p>
      </EmptyState>
      <Copyable label="Client ID" value="client_0123456789abcdef" />
      <Json text='{"id":"evt_1","charged":true,"count":2}' />
    </Part>
  );
}

function Fields({ look }: { look: Look }) {
  const name = (field: string) => `${look}-${field}`;
  return (
    <Part heading={`Fields, ${look}`}>
      <div class="stack">
        <EmailField name={name('email')} label="Email address" hint="We will email you a code." />
        <TextField
          name={name('wrong')}
          label="Name"
          autocomplete="off"
          maximum={100}
          value="x"
          problem="A name has at least two letters."
        />
        <NumberField name={name('amount')} label="Amount in EUR" note="optional" decimals />
        <CodeField name={name('code')} label="Code" digits={6} value="123456" />
        <PictureField
          name={name('logo')}
          label="Logo"
          hint="A picture, dropped or chosen."
          accept="image/png"
          mostBytes={logoBytes}
          refusal="That file can’t be used."
        />
        <SelectField name={name('kind')} label="Kind" options={[{ value: '', label: 'All' }]} />
        <RadioFields
          name={name('choice')}
          legend="One of several"
          value="a"
          options={[
            { value: 'a', label: 'The first', hint: 'What it means.' },
            { value: 'b', label: 'The second' },
          ]}
        />
        <CheckFields
          legend="Several"
          fields={[
            { name: name('one'), label: 'One', checked: true },
            { name: name('two'), label: 'Two' },
          ]}
        />
      </div>
    </Part>
  );
}

function Figures({ look }: { look: Look }) {
  const days = [3, 8, 5, 0, 9, 12, 7];
  return (
    <Part heading={`Figures and lists, ${look}`}>
      <StatGrid>
        <Stat name="Cost this month" figure="€70.03" note="Last month: €97.08" />
        <Stat name="Failures" figure="90" bad />
      </StatGrid>
      <Chart
        caption={`Sign-ins per day, ${look}`}
        axis="Day"
        series={['Sign-ins', 'Registrations']}
        bars={days.map((count, day) => ({
          label: `Day ${day + 1}`,
          short: String(day + 1),
          values: [count, day],
        }))}
      />
      <Tabs
        label={`Tabs, ${look}`}
        tabs={['Deliveries', 'Test and replay', 'Settings'].map((label, place) => ({
          label,
          path: `#${place}`,
          isCurrent: place === 0,
        }))}
      />
      <DataTable caption={`Table, ${look}`} head={['Name', 'State', 'When']}>
        <tr>
          <td>Acme Shop</td>
          <td>
            <Badge kind="good">Active</Badge>
          </td>
          <td>
            <Time at={new Date(Date.UTC(2026, 10, 21, 16, 5))} />
          </td>
        </tr>
      </DataTable>
      <Facts
        facts={[
          ['Name', 'Acme Shop'],
          ['Balance', '−€0.93'],
        ]}
      />
    </Part>
  );
}

function Part({ heading, children }: { heading: string; children: ComponentChildren }) {
  return <Panel heading={heading}>{children}</Panel>;
}
