// All customers of an application as a file: NDJSON or CSV, written row by row while it is read, so that a million rows
// take no more memory than ten. The last line says how many there were; a file without it was cut off on the way.
// Personal data of everybody at once: for developers and owners, a few times an hour, and in the audit log.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { countCustomers, eachCustomer } from '../../applications/customer-detail.ts';
import { customerRecord } from '../../applications/customer-list.ts';
import type { Read } from '../../database/reading-lanes.ts';
import { TollgateError } from '../../errors.ts';
import { csvLine } from '../../http/csv.ts';
import type { FormFields } from '../../http/form.ts';
import { rateLimits } from '../../limits/request-rates.ts';
import type { Log } from '../../log.ts';
import { Button, Form } from '../../page/button.tsx';
import { RadioFields } from '../../page/choice-field.tsx';
import { renderPage } from '../../page/document.tsx';
import { Panel } from '../../page/panel.tsx';
import { ApplicationFrame, applicationPath, applicationRest } from '../applications/frame.tsx';
import { applicationOf, audited } from '../applications/visit.ts';
import { sendDownload } from '../shell/download.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { countText } from './parts.tsx';

const PATH = '/applications/:application/customers/export';

export function createExportRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const total = await visit.lane.read((db) => countCustomers(db, application.id));
    ctx.body = renderPage(<ExportPage visit={visit} application={application} total={total} />);
  };
  const send = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const format = formatOf(request.fields);
    if (!format) {
      ctx.status = 400;
      const total = await visit.lane.read((db) => countCustomers(db, application.id));
      const problem = 'Choose one of the two formats.';
      ctx.body = renderPage(
        <ExportPage visit={visit} application={application} total={total} problem={problem} />,
      );
      return;
    }
    await deps.rateLimiter.consume('customer_exports', visit.workspace.id);
    await audited(deps, visit, {
      action: 'customers.exported',
      target: application.id,
      detail: { format },
      make: async () => undefined,
    });
    sendDownload(ctx, deps, visit, {
      type: formats[format].type,
      name: `customers-${application.id}.${formats[format].extension}`,
      lines: (read) => linesOf({ read, log: deps.log }, application, format),
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'developer', fresh: true, handle: show },
    { method: 'POST', path: PATH, role: 'developer', fresh: true, handle: send },
  ];
}

const formats = {
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', extension: 'ndjson' },
} as const;

type Format = keyof typeof formats;

function formatOf({ format }: FormFields): Format | undefined {
  return format === 'csv' || format === 'ndjson' ? format : undefined;
}

type Source = { read: Read; log: Log };

/** A failure on the way ends the connection without the last line, and the browser says that the download failed. */
async function* linesOf(
  { read, log }: Source,
  { id, isTest }: Application,
  format: Format,
): AsyncGenerator<string> {
  const { head, line, end } = writers[format];
  let count = 0;
  try {
    yield head;
    for await (const customers of eachCustomer(read, id)) {
      count += customers.length;
      yield customers.map((row) => line(customerRecord(row, { isTest }))).join('');
    }
    yield end(count);
  } catch (error) {
    log.error({ err: error, application: id, count }, 'an export of customers was cut off');
    throw new TollgateError('service_unavailable', 'The export was cut off.', { cause: error });
  }
}

type CustomerRecord = ReturnType<typeof customerRecord>;

const columns = [
  'sub',
  'email',
  'email_verified',
  'name',
  'registered_at',
  'last_sign_in_at',
  'sign_in_count',
  'livemode',
] as const;

const writers = {
  csv: {
    head: csvLine([...columns]),
    line: (record: CustomerRecord) => csvLine(columns.map((column) => cellOf(record[column]))),
    end: (count: number) => csvLine([`# end: ${count} customers`]),
  },
  ndjson: {
    head: '',
    line: (record: CustomerRecord) => `${JSON.stringify(record)}\n`,
    end: (count: number) => `${JSON.stringify({ end: true, customers: count })}\n`,
  },
} as const;

function cellOf(value: string | number | boolean | null): string | number | null {
  return typeof value === 'boolean' ? String(value) : value;
}

type ExportPageProps = {
  visit: MemberVisit;
  application: Application;
  total: { count: number; isMore: boolean };
  problem?: string;
};

function ExportPage({ visit, application, total, problem }: ExportPageProps) {
  const rest = applicationRest(application, '/customers/export');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="customers"
      heading="Export customers"
      lead={countText(total)}
      problem={problem}
    >
      <Panel
        heading="Format"
        lead="The last line says how many customers the file holds. If that line is missing, the file was cut off: download it again."
      >
        <Form
          action={applicationPath(visit, application, '/customers/export')}
          token={visit.token(rest)}
          downloads
        >
          <RadioFields
            name="format"
            legend="The file is"
            problem={problem}
            value="csv"
            options={[
              {
                value: 'csv',
                label: 'CSV',
                hint: 'For spreadsheets. Cells that look like formulas start with an apostrophe.',
              },
              {
                value: 'ndjson',
                label: 'NDJSON',
                hint: 'For programs: one JSON object per line, as in the customer-data API.',
              },
            ]}
          />
          <Button>Download</Button>
        </Form>
        <p class="fine">
          The audit log records each export. A workspace can export {rateLimits.customer_exports.count} times
          per hour.
        </p>
      </Panel>
    </ApplicationFrame>
  );
}
