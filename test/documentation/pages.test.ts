// /docs: the Markdown of docs/, served by the service itself in its own design, found by a search, and whole: no page is
// missing in the navigation, and no link leads nowhere. Whoever is signed in finds their own Client ID (threat 154).
import { readdir, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { chapters } from '../../src/documentation/contents.ts';
import { readForCrawlers } from '../../src/documentation/crawlers.ts';
import { type Place, targetOf } from '../../src/documentation/markdown.tsx';
import { search } from '../../src/documentation/search.ts';
import { readShelf } from '../../src/documentation/shelf.ts';
import { hasChromium } from '../harness/chromium.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { type Lab, openLab } from '../hosted-pages/lab.ts';
import { openSettingsLab, type SettingsLab } from '../settings/lab.ts';
import { looks, settingsWatch } from '../settings/looks.ts';

const baseUrls = { baseUrl: 'https://id.shop.test', apiBaseUrl: 'https://id.shop.test/v1' };
const shelf = readShelf(baseUrls);

describe('what is on the shelf', () => {
  test('every page of docs/ stands in the navigation, and nothing else does', async () => {
    const files = await readdir(new URL('../../docs', import.meta.url));
    const pages = files.filter((file) => file.endsWith('.md') && file !== 'README.md');
    const slugs = pages.map((file) => file.slice(0, -3));
    const listed = chapters.flatMap(({ pages }) => pages.map(({ slug }) => slug));
    expect(listed.sort()).toEqual([...slugs, 'decisions'].sort());
  });

  test('every link leads to a page that is there, at a heading that is there', () => {
    const broken = [...shelf.values()].flatMap((page) =>
      linksOf(page.tokens)
        .filter((href) => !leadsSomewhere(href, { page, shelf }))
        .map((href) => `${page.slug}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  test('the reader finds their own issuer where the files have an example', () => {
    const raw = JSON.stringify(shelf.get('clients')?.tokens);
    expect(raw).toContain('https://id.shop.test/account');
    expect(raw).not.toMatch(/id\.example\.com|\{base_url\}/);
    expect(JSON.stringify(shelf.get('api')?.tokens)).toContain('https://id.shop.test/v1/openapi.json');
  });

  test('crawlers are told what is not for them, and find every page', async () => {
    expect(readForCrawlers('/robots.txt', baseUrls)).toContain('Disallow: /oauth/');
    const listed = readForCrawlers('/llms.txt', baseUrls) ?? '';
    for (const { pages } of chapters)
      for (const { slug } of pages) expect(listed).toContain(`(https://id.shop.test/docs/${slug})`);
    expect(readForCrawlers('/docs', baseUrls)).toBeUndefined();
  });

  test('a search wants every word, and puts headings first', () => {
    const [first] = search(shelf, 'refresh token lifetime');
    expect(first?.path).toMatch(/^\/docs\/tokens/);
    expect(search(shelf, 'replay')[0]?.path).toBe('/docs/webhooks#replay');
    expect(search(shelf, 'REPLAY')[0]?.path).toBe('/docs/webhooks#replay');
    const paths = search(shelf, 'signing secret').map(({ path }) => path);
    expect(paths.slice(0, 4)).toContainEqual(expect.stringContaining('#webhooks'));
    expect(search(shelf, 'replay zebrafish')).toEqual([]);
    expect(search(shelf, '   ')).toEqual([]);
    expect(search(shelf, '.*(')).toEqual([]);
  });
});

/** Of all tokens, however deep. */
function linksOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksOf);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'link' && 'href' in value ? [String(value.href)] : [];
  return [...own, ...Object.values(value).flatMap(linksOf)];
}

function leadsSomewhere(href: string, place: Place): boolean {
  const target = targetOf(href, place);
  if (target.kind === 'file') return !target.path.startsWith('docs/');
  if (/^https?:/.test(target.href)) return true;
  if (target.href.startsWith('/docs/files/')) return true;
  const [path = '', anchor] = target.href.split('#');
  const page = path === '' ? place.page : shelf.get(path.slice('/docs/'.length));
  return page !== undefined && (!anchor || [...page.anchors.values()].includes(anchor));
}

describe('over HTTP', () => {
  let service: TestTollgate;
  beforeAll(async () => {
    service = await startTollgate();
  });
  afterAll(() => service.stop());
  const get = async (path: string, method = 'GET') => {
    const answer = await fetch(`${service.url}${path}`, { method, headers: { accept: 'text/html' } });
    return { answer, html: await answer.text() };
  };

  test('the start page has a path for each reader, and the issuer', async () => {
    const { answer, html } = await get('/docs');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const { name } of chapters) expect(html).toContain(`<h2>${name}</h2>`);
    expect(html).toContain(service.url);
    expect(html).not.toMatch(/<script|style=/);
  });

  test('a page has its headings with anchors, its tables and code, and nothing of it became HTML by itself', async () => {
    const { answer, html } = await get('/docs/webhooks');
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(html).toContain('<h1>Webhooks</h1>');
    expect(html).toMatch(/<h2 id="verify">Verify/);
    expect(html).toContain('<pre tabindex="0"><code>');
    expect(html).toContain('href="/docs/api"');
    // `<timestamp>.<raw body>` of the text.
    expect(html).toContain('&lt;timestamp>.&lt;raw body>');
    expect(html).not.toMatch(/<timestamp|<script|style=/);
    expect((await get('/docs/decisions/0801-deliveries-take-turns')).html).toContain('aria-current="page"');
  });

  test('a search is a form, and what was typed stays text', async () => {
    const { html } = await get(`/docs/search?q=${encodeURIComponent('signing secret')}`);
    expect(html).toContain('<mark>');
    expect(html).toMatch(/href="\/docs\/webhooks#[\w-]+"/);
    const hostile = '"><script>alert(1)</script>';
    const refused = await get(`/docs/search?q=${encodeURIComponent(hostile)}`);
    expect(refused.answer.status).toBe(200);
    expect(refused.html).toContain('Nothing was found');
    expect(refused.html).not.toContain('<script>');
    expect((await get('/docs/search')).answer.status).toBe(200);
    expect((await get(`/docs/search?q=${'a'.repeat(5_000)}`)).answer.status).toBe(200);
  });

  test('whatever a page leads to is there, headings included', async () => {
    const seen = new Map<string, string>();
    const queue = ['/docs'];
    const broken: string[] = [];
    const links: { from: string; to: URL }[] = [];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue;
      // Company settings lead to the sign-in.
      const headers = { accept: 'text/html' };
      const answer = await fetch(`${service.url}${path}`, { headers, redirect: 'manual' });
      const html = await answer.text();
      seen.set(path, html);
      if (answer.status !== 200 && answer.status !== 303) broken.push(`${path}: ${answer.status}`);
      for (const [, href = ''] of html.matchAll(/ href="([^"]+)"/g)) {
        const to = new URL(href.replaceAll('&amp;', '&'), `${service.url}${path}`);
        if (to.origin !== service.url) continue;
        links.push({ from: path, to });
        if (/^\/(v1\/)?docs/.test(path)) queue.push(to.pathname);
      }
    }
    for (const { from, to } of links) {
      const anchor = decodeURIComponent(to.hash.slice(1));
      if (anchor && !seen.get(to.pathname)?.includes(` id="${anchor}"`)) broken.push(`${from}: ${to}`);
    }
    expect(broken).toEqual([]);
    expect(seen.size).toBeGreaterThan(60);
    for (const path of ['/v1/docs', '/docs/files/tollgate_webhooks.go'])
      expect([...seen.keys()]).toContain(path);
  });

  test('the webhook verifiers are downloads, as they are in the repository', async () => {
    for (const [language, name] of [
      ['python', 'tollgate_webhooks.py'],
      ['php', 'tollgate_webhooks.php'],
      ['go', 'tollgate_webhooks.go'],
    ]) {
      const { answer, html: text } = await get(`/docs/files/${name}`);
      const file = new URL(`../../examples/webhooks/${language}/${name}`, import.meta.url);
      expect(text).toBe(await readFile(file, 'utf8'));
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    }
    for (const name of ['', 'constructor', '..%2fpackage.json', 'tollgate_webhooks.rb'])
      expect((await get(`/docs/files/${name}`)).answer.status).toBe(404);
  });

  test('the package for webhooks is a download that npm installs, because no registry has it', async () => {
    const answer = await fetch(`${service.url}/docs/files/tollgate-webhooks.tgz`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/gzip');
    const content = gunzipSync(await answer.bytes()).toString('latin1');
    for (const name of ['package.json', 'dist/webhooks.js', 'dist/webhooks.d.ts'])
      expect(content).toContain(`package/${name}`);
  });

  test('there is nothing else below /docs, and nothing to post to', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/../package.json',
      '/docs/%2e%2e/package',
      '/docs/decisions/9999',
      '/docs/webhooks.md',
    ])
      expect((await get(path)).answer.status).toBe(404);
    expect((await get('/docs/webhooks', 'POST')).answer.status).toBe(405);
    expect((await get('/docs/webhooks', 'HEAD')).answer.status).toBe(200);
  });
});

const inChromium = (await hasChromium()) ? test : test.skip;

describe('with the Client ID of whoever is signed in to company settings', () => {
  let lab: SettingsLab;
  beforeAll(async () => {
    lab = await openSettingsLab();
  });
  afterAll(() => lab.stop());
  const read = async (path: string, cookie?: string) => {
    const headers = { accept: 'text/html', ...(cookie && { cookie }) };
    const answer = await fetch(`${lab.service.url}${path}`, { headers });
    expect(answer.status).toBe(200);
    return { html: await answer.text(), cache: answer.headers.get('cache-control') };
  };

  test('the only application is filled in; of several one is chosen, and goes along to other pages', async () => {
    const { viewer, register } = lab.acme;
    const stranger = await read('/docs/integrate');
    expect(stranger.html).toContain('&lt;Client ID>');
    expect(stranger.cache).toBe('public, max-age=300');
    const first = await register({ name: 'Shop' });
    const one = await read('/docs/integrate', viewer.cookie);
    expect(one.html).toContain(first.clientId);
    expect(one.html).not.toContain('&lt;Client ID>');
    expect(one.cache).toBe('private, no-store');
    const second = await register({ name: 'Second' });
    const several = await read('/docs/integrate', viewer.cookie);
    expect(several.html).toContain('&lt;Client ID>');
    expect(several.html).toContain('Choose an application');
    const chosen = await read(`/docs/clients?application=${second.id}`, viewer.cookie);
    expect(chosen.html).toContain(`credit ${second.clientId} 10`);
    expect(chosen.html).not.toContain(first.clientId);
    expect(chosen.html).toContain(`href="/docs/integrate?application=${second.id}"`);
    // What names no application is everybody's.
    expect((await read('/docs/glossary', viewer.cookie)).cache).toBe('public, max-age=300');
  });

  test("another company's application is as unknown as a made-up one, and nothing secret is on the page", async () => {
    const theirs = await lab.other.register({ name: 'Theirs' });
    for (const id of [theirs.id, 'app_unknown', '"><script>']) {
      const path = `/docs/integrate?application=${encodeURIComponent(id)}`;
      const { html } = await read(path, lab.acme.viewer.cookie);
      expect(html).not.toContain(theirs.clientId);
      expect(html).toContain('Choose an application');
      expect(html).not.toContain('<script>');
    }
    const own = await read(`/docs/integrate?application=${theirs.id}`, lab.other.owner.cookie);
    expect(own.html).toContain(theirs.clientId);
    expect(own.html).not.toContain(String(theirs.clientSecret));
    const signedOut = await read('/docs/integrate', 'tollgate_settings=made-up');
    expect(signedOut.html).not.toContain('Your application');
  });

  const watch = settingsWatch();
  afterEach(() => watch.end());
  for (const look of looks)
    inChromium(`${look.name}: the choice has no finding of axe and scrolls nowhere sideways`, async () => {
      const person = watch.add(await lab.person(lab.acme.viewer, look.options));
      await person.page.goto(`${lab.service.url}/docs/integrate`);
      await watch.look(person, look, 'docs-own-application');
      await person.page.getByRole('combobox', { name: 'Application' }).selectOption({ index: 1 });
      await person.page.getByRole('button', { name: 'Use it' }).click();
      expect(await person.page.getByText('With the Client ID of').textContent()).toContain('Second');
    });
});

describe('in a browser', () => {
  let lab: Lab;
  const watch = settingsWatch();
  beforeAll(async () => {
    lab = await openLab();
  });
  afterEach(() => watch.end());
  afterAll(() => lab.stop());

  for (const look of looks) {
    inChromium(
      `${look.name}: start, pages and search have no finding of axe and scroll nowhere sideways`,
      async () => {
        const person = watch.add(await lab.person(look.options));
        for (const path of [
          '',
          '/webhooks',
          '/clients',
          '/tokens',
          '/limits',
          '/decisions',
          '/search?q=signing%20secret',
        ]) {
          await person.page.goto(`${lab.service.url}/docs${path}`);
          await watch.look(person, look, `docs${path.replaceAll(/\W/g, '-')}`);
        }
      },
    );
  }

  inChromium('without script: from the search to the section, and on by the menu of a phone', async () => {
    const options = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false };
    const person = watch.add(await lab.person(options));
    await person.page.goto(`${lab.service.url}/docs`);
    await person.page.getByText('Tollgate documentation').click();
    await person.page.getByRole('searchbox').fill('check a received request');
    await person.page.getByRole('searchbox').press('Enter');
    await person.page.locator('.found a').first().click();
    expect(new URL(person.page.url()).hash).not.toBe('');
    await person.page.getByText('Tollgate documentation').click();
    await person.page.getByRole('link', { name: 'Go-live checklist' }).click();
    expect(await person.heading()).toBe('Go-live checklist');
  });
});
