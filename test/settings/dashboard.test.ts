// The overview as a dashboard, applications that are called the same, the audit log in sentences, the documentation page
// and the style guide, through the pages.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordAudit } from '../../src/applications/audit-log.ts';
import { changeInPercent, monthFigures } from '../../src/settings/overview/months.ts';
import { writeHistory } from '../ledger/usage-history.ts';
import { openSettingsLab, type SettingsLab } from './lab.ts';

let lab: SettingsLab;
beforeAll(async () => {
  lab = await openSettingsLab();
});
afterAll(() => lab.stop());

/** As it is read: without tags. */
const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ');

describe('the overview', () => {
  test('shows what a month costs, each balance and how long it lasts; changes for owners only', async () => {
    const company = await lab.addWorkspace('Dashboard');
    const shop = await company.register({ name: 'Shop', balance: 8_000_000n });
    const { db } = lab.service;
    await writeHistory(db, { applicationId: shop.id, until: new Date(), days: 40, perDay: 20, customers: 5 });
    const home = `/settings/${company.workspace.id}`;
    await lab
      .visitor(company.owner)
      .post(
        `${home}/applications/${shop.id}/balance`,
        { amount: '5' },
        `${home}/applications/${shop.id}/balance/warnings`,
      );
    const owner = wordsOf((await lab.visitor(company.owner).get(home)).html);
    for (const words of ['Cost this month', 'Last month: €', '€8.00', 'left', 'Latest sign-ins'])
      expect(owner).toContain(words);
    expect(owner).toContain('set an alert at €5.00 for “Shop”.');
    expect(wordsOf((await lab.visitor(company.viewer).get(home)).html)).not.toContain('Latest changes');
  });

  test('compares a month that is not over with the same days of the last one', () => {
    const of = (day: string, count: number) => ({
      applicationId: 'app_1',
      day,
      kind: 'sign_in' as const,
      count,
      cost: BigInt(count) * 20_000n,
    });
    const usage = [of('2026-10-03', 10), of('2026-10-20', 90), of('2026-11-02', 15)];
    const { now, lastByToday, last } = monthFigures(usage, new Date('2026-11-10T12:00:00Z'));
    expect([now.sessions, lastByToday.sessions, last.sessions]).toEqual([15, 10, 100]);
    expect(changeInPercent(now.cost, lastByToday.cost)).toBe(50);
    expect(changeInPercent(1, 0)).toBeUndefined();
  });

  test('applications that are called the same are told apart by the end of their Client ID', async () => {
    const company = await lab.addWorkspace('Twins');
    const twins = [await company.register({ name: 'Shop' }), await company.register({ name: 'Shop' })];
    const { html } = await lab.visitor(company.viewer).get(`/settings/${company.workspace.id}/applications`);
    for (const { clientId } of twins) expect(html).toContain(`Shop (…${clientId.slice(-6)})`);
  });
});

test('the audit log says what happened, and tells an action that it does not know by its name', async () => {
  const { workspace, owner } = await lab.addWorkspace('Sentences');
  const entry = { workspaceId: workspace.id, ipAddress: null, now: new Date() };
  const detail = { amount: '-0.930000', currency: 'EUR' };
  await recordAudit(lab.service.db, { ...entry, accountId: null, action: 'balance.corrected', detail });
  const accountId = owner.account.id;
  await recordAudit(lab.service.db, { ...entry, accountId, action: 'comet.observed' });
  const words = wordsOf((await lab.visitor(owner).get(`/settings/${workspace.id}/audit-log`)).html);
  expect(words).toContain('Tollgate operator corrected the balance of an application by −€0.93.');
  expect(words).toContain('owner did “Comet observed”.');
});

test('every page leads to the documentation and the API reference, and development mode has a style guide', async () => {
  const { workspace, viewer } = lab.acme;
  const { html } = await lab.visitor(viewer).get(`/settings/${workspace.id}`);
  expect(html).toMatch(/<a class="nav-link" href="\/docs">/);
  expect(html).toContain(`href="${lab.service.url}/v1/docs"`);
  const guide = await lab.visitor().get('/dev/styles');
  expect([guide.status, guide.html.includes('Style guide')]).toEqual([200, true]);
});
