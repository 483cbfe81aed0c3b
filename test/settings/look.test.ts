// An application's look, from its form to every page and mail: colours that stay readable whatever is chosen, links that
// lead to https alone, a sender's name that is only a name, a preview, the audit log (threats 148 and 149).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { appearances } from '../../drizzle/schema/applications.ts';
import { contrast, readableAccent, readableOn } from '../../src/page/colour.ts';
import { lookStyles } from '../../src/page/look-styles.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { mailbox, mails, startWalk } from '../hosted-pages/walk.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from './lab.ts';

let lab: SettingsLab;
let developer: Visitor;
let application: RegisteredApplication;

beforeAll(async () => {
  lab = await openSettingsLab();
  developer = lab.visitor(lab.acme.developer);
  application = await lab.acme.register({ name: 'Nordlicht Notes' });
});
afterAll(() => lab?.stop());

const pageOf = (rest: string) => `/settings/${lab.acme.workspace.id}/applications/${application.id}${rest}`;
const save = (fields: Record<string, string | { bytes: Uint8Array; name?: string }>) =>
  developer.upload(pageOf('/appearance'), { name: 'Nordlicht Notes', ...fields });

async function stored() {
  const [row] = await lab.service.db
    .select()
    .from(appearances)
    .where(eq(appearances.applicationId, application.id));
  return row;
}

const whole = {
  accent: '#ffcc00',
  background: 'gradient',
  corners: 'round',
  terms: 'https://notes.example/terms',
  privacy: 'https://notes.example/privacy?lang=en',
  support: 'help@notes.example',
  sender_name: 'Nordlicht Notes Support',
};

describe('colours', () => {
  const colours = ['#ffffff', '#000000', '#ffcc00', '#3451d1', '#00ff00', '#777777', '#ff0000', '#fafafa'];
  test.each(colours)('%s: white on the button and the accent on both grounds can be read', (accent) => {
    expect(contrast(readableAccent(accent), '#ffffff')).toBeGreaterThanOrEqual(4.5);
    for (const ground of ['#ffffff', '#f4f5f8', '#16181d', '#1d2027'])
      expect(contrast(readableOn(ground, accent), ground)).toBeGreaterThanOrEqual(4.5);
  });

  test('one that is readable already stays as it is', () => {
    expect(readableAccent('#3451d1')).toBe('#3451d1');
    expect(readableOn('#ffffff', '#14653a')).toBe('#14653a');
  });

  test('a nearly black button can be seen in the dark', () => {
    const dark = /dark\) { :root { ([^}]*)}/.exec(
      lookStyles({ accent: '#101010', background: 'plain', corners: 'soft' }),
    )?.[1];
    expect(dark).toContain('--accent: #f0f1f4; ');
    expect(dark).toContain('--on-accent: #14161b;');
  });
});

describe('what is saved', () => {
  test('stands on every hosted page and in the mail, and the audit log says what was changed', async () => {
    expect((await save(whole)).status).toBe(303);
    const email = 'sees.the.look@example.com';
    const readCode = await mailbox(lab.service, email);
    const walker = await startWalk(lab.service, application);
    const path = /\/applications\/[^"]*\/look-[^"]*\.css/.exec(walker.page.html)?.[0];
    expect(path).toBeDefined();
    const sheet = await fetch(lab.service.url + path);
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(sheet.headers.get('cache-control')).toContain('immutable');
    expect(await sheet.text()).toContain(`--accent: ${readableAccent('#ffcc00')};`);
    for (const link of [whole.terms, whole.privacy, 'mailto:help@notes.example'])
      expect(walker.page.html).toContain(`href="${link}"`);
    const wrong = await walker.open(walker.path('sign-in'));
    expect(wrong.html).toContain(path);
    await walker.submit('sign-in', { email });
    expect(walker.page.html).toContain(path);
    await readCode();
    const [mail] = await mails(lab.service, email);
    expect(mail?.html).toContain(`background:${readableAccent('#ffcc00')}`);
    expect(mail?.text).toContain('Terms: https://notes.example/terms\n');
    expect(mail?.text).toContain('Support: help@notes.example\n');
    expect((mail as { from?: string } | undefined)?.from).toMatch(/^Nordlicht Notes Support <[^>]+>$/);
    const log = await lab.visitor(lab.acme.owner).get(`/settings/${lab.acme.workspace.id}/audit-log`);
    expect(log.html).toContain('accent, background, corners, terms, privacy, support, sender name');
  });

  test('stands on an error page of a sign-in under way', async () => {
    const walker = await startWalk(lab.service, application);
    const form = walker.page.forms.find(({ action }) => action.endsWith('/sign-in'));
    if (!form) throw new Error('no form');
    const arrival = await walker.browser.submit(walker.page, form, { email: 'x'.repeat(20_000) });
    const path = /\/look-[^"]*\.css/.exec(walker.page.html)?.[0];
    if (!('page' in arrival)) throw new Error('left');
    expect(arrival.page.status).toBeLessThan(500);
    expect(path).toBeDefined();
  });

  test('a form without these fields leaves them, and the service’s own colour needs no style sheet', async () => {
    expect((await save({})).status).toBe(303);
    expect(await stored()).toMatchObject({ accent: '#ffcc00', termsUrl: whole.terms });
    await save({ accent: '#3451d1', background: 'plain', corners: 'soft', terms: '' });
    expect(await stored()).toMatchObject({ accent: null, termsUrl: null, privacyUrl: whole.privacy });
    const { page } = await startWalk(lab.service, application);
    expect(page.html).not.toContain('/look-');
  });

  test('a logo for dark mode is drawn anew, shown in the dark alone, and removed', async () => {
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ffffff' } })
      .jpeg()
      .toBuffer();
    expect((await save({ logo_dark: { bytes, name: 'dark.jpg' } })).status).toBe(303);
    const dark = await fetch(`${lab.service.url}/applications/${application.id}/logo-dark`);
    expect(dark.headers.get('content-type')).toBe('image/png');
    const { page } = await startWalk(lab.service, application);
    expect(page.html).toMatch(
      /<source media="screen and \(prefers-color-scheme: dark\)" srcset="[^"]*\/logo-dark"/,
    );
    expect((await save({ logo_dark: { bytes: Buffer.from('<svg onload=alert(1)>') } })).status).toBe(400);
    expect((await save({ remove_logo_dark: 'on' })).status).toBe(303);
    expect((await fetch(`${lab.service.url}/applications/${application.id}/logo-dark`)).status).toBe(404);
  });
});

describe('threats 148 and 149: what is refused', () => {
  test.each([
    ['accent', 'red;} body{background:url(//evil.example)}', 'Enter a colour'],
    ['terms', 'javascript:alert(1)', 'begins with https://'],
    ['terms', 'http://notes.example/terms', 'begins with https://'],
    ['privacy', 'https://user:secret@notes.example/', 'begins with https://'],
    ['privacy', `https://notes.example/${'x'.repeat(500)}`, 'at most 500 characters'],
    ['support', 'mailto:a@b.example?bcc=c@d.example', 'begins with https://'],
    ['sender_name', 'Bank <support@bank.example>', 'must not contain'],
    ['sender_name', 'Notes\r\nBcc: eve@example.com', 'must not contain'],
    ['sender_name', 'x'.repeat(61), 'at most 60 characters'],
  ])('%s: %s', async (field, typed, sentence) => {
    const before = await stored();
    const answer = await save({ [field]: typed });
    expect(answer.status).toBe(400);
    expect(new RegExp(`id="${field}-problem">([^<]*)<`).exec(answer.html)?.[1]).toContain(sentence);
    expect(await stored()).toEqual(before);
  });

  test('a made-up background or corner changes nothing', async () => {
    expect((await save({ background: 'url(x)', corners: '9rem' })).status).toBe(303);
    expect(await stored()).toMatchObject({ background: 'plain', corners: 'soft' });
  });

  test('the database refuses it as well', async () => {
    for (const values of [
      sql`accent = 'red'`,
      sql`background = 'url(x)'`,
      sql`corners = '9rem'`,
      sql`terms_url = 'javascript:alert(1)'`,
      sql`support_url = 'http://x.example'`,
      sql`sender_name = 'a <b@c.example>'`,
    ])
      await expect(lab.service.db.execute(sql`update appearances set ${values}`)).rejects.toThrow();
  });
});

describe('the preview', () => {
  test('is a style sheet of checked values, for members of this company alone', async () => {
    const preview = (query: string) => developer.get(pageOf(`/appearance/preview.css?${query}`));
    const { html, status } = await preview('accent=%23102030&background=tint&corners=square');
    expect(status).toBe(200);
    expect(html).toContain('.preview-stage.look-dark { --accent:');
    const hostile = await preview('accent=red%3B%7D&background=%7D&corners=%3C%2Fstyle%3E');
    expect(hostile.html).not.toMatch(/red;|<\/style>/);
    const stranger = lab.visitor(lab.other.owner);
    expect((await stranger.get(pageOf('/appearance/preview.css'))).status).toBe(404);
  });
});
