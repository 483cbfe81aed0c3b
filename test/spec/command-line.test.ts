// The command line: every command as a real process, once through the socket of a running service and once without one,
// with JSON for scripts and one sentence for people when it fails.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type CommandLine, createCommandLine, type Service } from '../harness/command-line.ts';

const callback = 'https://shop.example/callback';
/** On this machine, so that no name server is asked. */
const endpoint = 'https://localhost:4999/hook';

/** What must be the same whichever way a command reaches the database. */
function everyCommand(prepare: (tollgate: CommandLine) => Promise<void>): () => CommandLine {
  let tollgate: CommandLine;
  beforeAll(async () => {
    tollgate = await createCommandLine({ WEBHOOK_ALLOW_LOOPBACK: 'on' });
    await prepare(tollgate);
  });
  afterAll(() => tollgate.remove());

  test('workspace create and list', async () => {
    const made = await tollgate.json('workspace create --name ACME --currency USD --sign-in-price 0.01');
    expect(made).toMatchObject({ currency: 'USD', registrationPrice: '0.050000', signInPrice: '0.010000' });
    const { data } = await tollgate.json('workspace list');
    expect(data).toContainEqual(expect.objectContaining({ workspaceId: made.workspaceId, name: 'ACME' }));
  });

  test('promise 2: application create prints applicationId, clientId and clientSecret', async () => {
    const logo = join(tollgate.directory, 'logo.png');
    const image = sharp({ create: { width: 32, height: 32, channels: 3, background: 'teal' } });
    await image.png().toFile(logo);
    const callbacks = [callback, `${callback}?from=tollgate`];
    const options = `--logo ${logo} --callback ${callbacks.join(' --callback ')} --post-logout https://shop.example/`;
    const made = await tollgate.json(`application create --workspace ACME --name Shop ${options}`);
    expect(Object.keys(made)).toEqual(['applicationId', 'clientId', 'clientSecret']);
    expect(made.clientSecret).toMatch(/^[\w-]{43}$/);
    const { applicationId, clientId } = made;
    const { data } = await tollgate.json('application list --workspace ACME');
    const listed = {
      name: 'Shop',
      mode: 'live',
      clientType: 'confidential',
      clientRules: 'strict',
      balance: '0.000000',
      currency: 'USD',
    };
    expect(data).toEqual([{ applicationId, clientId, ...listed, callbacks }]);
  });

  test('promise 54: application create --test makes one in test mode, and go-live takes it live, once', async () => {
    const made = await tollgate.json(`application create --test --name Tried --callback ${callback}`);
    expect(made.mode).toBe('test');
    expect(await tollgate.json(`application show ${made.clientId}`)).toMatchObject({ mode: 'test' });
    const early = await tollgate.run(`credit ${made.clientId} 5 --reference early`);
    expect(early).toMatchObject({ code: 1, stdout: '' });
    expect(early.stderr).toMatch(/is in test mode and takes no money/);
    expect(await tollgate.json(`application go-live ${made.clientId}`)).toMatchObject({
      mode: 'live',
      testCustomersLeft: 0,
      balance: '0.000000',
    });
    expect((await tollgate.run(`application go-live ${made.clientId}`)).stderr).toMatch(/is live already/);
    expect(await tollgate.json(`credit ${made.clientId} 5 --reference early`)).toMatchObject({
      credited: true,
    });
  });

  test('a public application gets no secret', async () => {
    const made = await tollgate.json(
      `application create --public --name Page --callback ${callback} --origin https://shop.example`,
    );
    expect(Object.keys(made)).toEqual(['applicationId', 'clientId']);
  });

  test('member add invites whoever has no account, and prints the link', async () => {
    const { workspaceId } = await tollgate.json('workspace create --name Staffed');
    const invited = await tollgate.json(`member add --workspace ${workspaceId} --email Ada@Acme.example`);
    expect(invited).toMatchObject({ email: 'ada@acme.example', role: 'owner', member: false });
    expect(invited.invitation).toMatch(/\/settings\/invitations\/[\w-]{43}$/);
    expect(await tollgate.run('member add --email ada --role owner')).toMatchObject({ code: 1, stdout: '' });
    const { code } = await tollgate.run('member add --email ada@acme.example --role king');
    expect(code).toBe(1);
    expect(await tollgate.json(`member list --workspace ${workspaceId}`)).toEqual({ data: [] });
  });

  test('promise 26: correct gives and takes with a reason, never below zero; refund needs an event', async () => {
    const made = await tollgate.json(`application create --name Corrected --callback ${callback}`);
    const correct = (rest: string) => `correct --application ${made.clientId} --reason Typo --amount ${rest}`;
    expect(await tollgate.json(correct('5'))).toMatchObject({ corrected: true, balance: '5.000000' });
    expect(await tollgate.json(correct('-2.50 --reference n1'))).toMatchObject({ balance: '2.500000' });
    expect(await tollgate.json(correct('-2.50 --reference n1'))).toMatchObject({ corrected: false });
    const tooMuch = await tollgate.run(correct('-2.51'));
    expect(tooMuch).toMatchObject({ code: 1, stdout: '' });
    expect(tooMuch.stderr).toMatch(
      /^tollgate: The balance is less than .2\.51, and it never goes below zero\.\n$/,
    );
    expect((await tollgate.run('refund evt_unknown --reason Typo')).stderr).toMatch(/There is no event/);
  });

  test('promise 27: credit tops up once per reference, by applicationId or Client ID', async () => {
    const made = await tollgate.json(`application create --name Credited --callback ${callback}`);
    const { applicationId: id, clientId } = made;
    const first = await tollgate.json(`credit ${id} 25 --reference ${id}-1`);
    expect(first).toMatchObject({ credited: true, balance: '25.000000' });
    const repeated = await tollgate.json(`credit ${clientId} 25.00 --reference ${id}-1`);
    expect(repeated).toMatchObject({ credited: false, balance: '25.000000' });
    const other = await tollgate.run(`credit ${id} 26 --reference ${id}-1`);
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toMatch(/^tollgate: This reference was already credited with another amount.*\n$/);
    const smallest = await tollgate.json(`credit ${id} 0.000001 --reference ${id}-2`);
    expect(smallest).toMatchObject({ balance: '25.000001' });
  });

  test('what was credited before is said in words, and balance and usage can be asked for', async () => {
    const { applicationId: id, clientId } = await tollgate.json(
      `application create --name Asked --callback ${callback}`,
    );
    await tollgate.json(`credit ${id} 3 --reference ${id}-1`);
    const again = await tollgate.run(`credit ${id} 3 --reference ${id}-1`);
    expect(again).toEqual({
      code: 0,
      stderr: '',
      stdout: 'This reference was credited before: nothing was added. The balance is 3.000000 EUR.\n',
    });
    expect(await tollgate.json(`balance ${clientId}`)).toEqual({
      applicationId: id,
      name: 'Asked',
      balance: '3.000000',
      currency: 'EUR',
    });
    const { data } = await tollgate.json(`usage ${id} --days 2`);
    const today = new Date().toISOString().slice(0, 10);
    expect(data).toHaveLength(2);
    expect(data).toContainEqual({ day: today, registrations: 0, signIns: 0, cost: '0.000000' });
    expect(await tollgate.json(`customer list ${id}`)).toEqual({ data: [], hasMore: false });
  });

  test('an application is shown, changed, switched off and on, and deleted by its name', async () => {
    const { clientId } = await tollgate.json(
      `application create --name Changing --callback ${callback} --post-logout https://shop.example/`,
    );
    const shown = await tollgate.json(`application show ${clientId}`);
    expect(shown).toMatchObject({
      name: 'Changing',
      status: 'active',
      callbacks: [callback],
      balance: '0.000000',
    });
    expect(shown.secrets).toEqual([expect.stringMatching(/^….{4}$/)]);
    const changed = await tollgate.json(
      `application update ${clientId} --name Changed --callback ${callback}/2`,
    );
    expect(changed).toMatchObject({
      name: 'Changed',
      callbacks: [`${callback}/2`],
      postLogout: ['https://shop.example/'],
    });
    expect((await tollgate.run(`application update ${clientId} --callback http://x.example/`)).code).toBe(1);
    expect(await tollgate.json(`application disable ${clientId}`)).toMatchObject({ status: 'disabled' });
    expect(await tollgate.json(`application enable ${clientId}`)).toMatchObject({ status: 'active' });
    const refused = await tollgate.run(`application delete ${clientId} --name Changing`);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is called "Changed"') });
    expect(await tollgate.json(`application delete ${clientId} --name Changed`)).toMatchObject({
      deleted: true,
    });
    expect((await tollgate.run(`application show ${clientId}`)).code).toBe(1);
  });

  test('another Client Secret, beside the older one or in its place', async () => {
    const made = await tollgate.json(`application create --name Rotating --callback ${callback}`);
    const second = await tollgate.json(`application secret ${made.clientId}`);
    expect(second).toMatchObject({ clientSecret: expect.stringMatching(/^[\w-]{43}$/), olderEndAt: null });
    const third = await tollgate.json(`application secret ${made.clientId} --overlap-seconds 0`);
    const { secrets } = await tollgate.json(`application show ${made.clientId}`);
    expect(secrets).toEqual([`…${String(third.clientSecret).slice(-4)}`]);
    const page = await tollgate.json(`application create --public --name Bare --callback ${callback}`);
    expect((await tollgate.run(`application secret ${page.clientId}`)).stderr).toMatch(/no Client Secret/);
  });

  test('webhook test sends an event of something that did not happen; delete ends the subscription', async () => {
    await tollgate.json(`application create --name Tested --callback ${callback}`);
    const { id } = await tollgate.json(`webhook create --url ${endpoint}/test`);
    const sent = await tollgate.json(`webhook test ${id}`);
    expect(sent).toMatchObject({
      id,
      type: 'identity.registration.completed.v1',
      eventId: expect.any(String),
    });
    const { data } = await tollgate.json('webhook deliveries');
    expect(data).toContainEqual(expect.objectContaining({ id: sent.deliveryId }));
    expect(await tollgate.json(`webhook delete ${id}`)).toEqual({ id, deleted: true });
    const { data: left } = await tollgate.json('webhook list');
    expect(left).not.toContainEqual(expect.objectContaining({ id }));
  });

  test('api-key create prints the key', async () => {
    const made = await tollgate.json('api-key create --name backend');
    expect(made).toMatchObject({ key: expect.stringMatching(/^tollgate_v1_\w{49}$/) });
  });

  test('webhook create prints id and secret; pause and resume', async () => {
    const { id, secret } = await tollgate.json(`webhook create --url ${endpoint}`);
    expect(secret).toMatch(/\S{30}/);
    expect(await tollgate.json(`webhook pause ${id}`)).toEqual({ id, status: 'paused' });
    expect(await tollgate.json(`webhook resume ${id}`)).toEqual({ id, status: 'active' });
    expect(await tollgate.json('webhook deliveries')).toMatchObject({ data: expect.any(Array) });
  });

  test('keys rotate signs with a new key', async () => {
    const rotated = await tollgate.json('keys rotate');
    expect(rotated.data).toMatchObject(['RS256', 'ES256', 'EdDSA'].map((algorithm) => ({ algorithm })));
    const again = await tollgate.json('keys rotate --algorithm EdDSA');
    expect(again.data).toEqual([
      { algorithm: 'EdDSA', kid: expect.stringMatching(/\S{10}/), signsFrom: expect.any(String) },
    ]);
    expect(rotated.data).not.toEqual(
      expect.arrayContaining([expect.objectContaining({ kid: kidsOf(again)[0] })]),
    );
  });

  test('ledger verify proves the books', async () => {
    expect(await tollgate.json('ledger verify')).toMatchObject({ ok: true });
    expect((await tollgate.run('ledger verify')).stdout).toMatch(/^holds {3}every balance equals/);
  });

  test('migrate has nothing left to do', async () => {
    expect(await tollgate.json('migrate')).toEqual({ upToDate: true });
  });

  test('commands at the same time take turns: nothing is lost, nothing is done twice', async () => {
    const { applicationId: id } = await tollgate.json(
      `application create --name Busy --callback ${callback}`,
    );
    const answers = await Promise.all(
      ['a', 'b', 'c', 'a'].map((letter) => tollgate.json(`credit ${id} 1 --reference ${id}-${letter}`)),
    );
    expect(answers.filter(({ credited }) => credited)).toHaveLength(3);
    const last = await tollgate.json(`credit ${id} 1 --reference ${id}-d`);
    expect(last).toMatchObject({ balance: '4.000000' });
  });

  return () => tollgate;
}

function kidsOf({ data }: Record<string, unknown>): unknown[] {
  return Array.isArray(data) ? data.map(({ kid }) => kid) : [];
}

describe('through the socket of the running service', () => {
  let service: Service;
  const commandLine = everyCommand(async (tollgate) => {
    service = await tollgate.start();
  });

  test('keys rotate takes effect at once: the new key is published beside the old ones', async () => {
    const kids = kidsOf(await commandLine().json('keys rotate'));
    const answer: { keys: { kid: string }[] } = await (await fetch(`${service.url}/oauth/jwks`)).json();
    expect(answer.keys.length).toBeGreaterThan(3);
    for (const kid of kids) expect(answer.keys.map((key) => key.kid)).toContain(kid);
  });

  test('api-key rotate and revoke; the list never shows a key', async () => {
    const tollgate = commandLine();
    const { id, key } = await tollgate.json('api-key create --name reporting --expires 2099-01-01T00:00:00Z');
    const rotated = await tollgate.json(`api-key rotate ${id}`);
    expect(rotated).toMatchObject({ replaces: id, key: expect.stringMatching(/^tollgate_v1_/) });
    const revoked = await tollgate.json(`api-key revoke ${rotated.id}`);
    expect(revoked).toEqual({ id: rotated.id, revoked: true });
    const listed = await tollgate.run('api-key list --json');
    expect(listed.stdout).not.toContain(key);
    const statuses = [
      { id, status: 'expired' },
      { id: rotated.id, status: 'revoked' },
    ].map((status) => expect.objectContaining(status));
    expect(JSON.parse(listed.stdout).data).toEqual(expect.arrayContaining(statuses));
  });

  test('webhook rotate shows a new secret, the list none; a replay of nothing is refused', async () => {
    const tollgate = commandLine();
    const { id, secret } = await tollgate.json(`webhook create --url ${endpoint}/2`);
    const rotated = await tollgate.json(`webhook rotate ${id} --overlap-seconds 60`);
    expect(rotated).toMatchObject({ id, secret: expect.stringMatching(/\S{30}/) });
    expect(rotated.secret).not.toBe(secret);
    const { stdout } = await tollgate.run('webhook list --json');
    expect(stdout).not.toContain(rotated.secret);
    expect(JSON.parse(stdout).data).toContainEqual(expect.objectContaining({ id, status: 'active' }));
    const replay = await tollgate.run('webhook replay dlv_unknown');
    expect(replay).toMatchObject({ code: 1, stdout: '' });
    expect(replay.stderr).toMatch(/^tollgate: There is no such webhook delivery/);
  });

  test.each([
    ['credit app_unknown 1 --reference r', /There is no application "app_unknown"/],
    ['credit app_1 ten --reference r', /"ten" is not an amount/],
    ['credit --reference r -- app_1 -5', /"-5" is not an amount/],
    ['credit', /missing required argument 'application'/],
    ['application delete', /missing required argument 'application'/],
    ['application delete app_1', /required option '--name <name>' not specified/],
    ['credit app_1 1', /required option '--reference <text>' not specified/],
    ['credit app_1 --reference r', /missing required argument 'amount'/],
    ['application create --name x', /required option '--callback <url>'/],
    ['application create --name x --callback http://x.example/', /must start with https/],
    [`application create --name x --logo none.png --callback ${callback}`, /none\.png/],
    ['application rules client_x compatible', /There is no application "client_x"/],
    ['application devices client_x on', /There is no application "client_x"/],
    ['application devices client_x perhaps', /state: /],
    ['application list --workspace nobody', /There is no workspace "nobody"/],
    ['api-key create --name x --expires tomorrow', /expires: /],
    ['api-key list --all', /unknown option '--all'/],
    ['webhook create --url http://shop.example/hook', /must be .* https/],
    ['webhook create --url https://10.0.0.1/hook', /not an IP address/],
    ['webhook create --url https://shop.example/ --type everything', /event types/],
    ['workspace create --name x --currency euro', /ISO 4217/],
    ['frobnicate', /unknown command 'frobnicate'/],
  ])('%s: exit code 1 and one sentence on stderr', async (line, sentence) => {
    const { code, stdout, stderr } = await commandLine().run(line);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^tollgate: .*\n(\(Did you mean .*\)\n)?$/);
  });
});

describe('without a running service', () => {
  test('commands open the data themselves', async () => {
    const tollgate = await createCommandLine();
    await tollgate.json('migrate');
    await tollgate.json('workspace create --name First');
    const { applicationId } = await tollgate.json(`application create --name Shop --callback ${callback}`);
    const credited = await tollgate.json(`credit ${applicationId} 1 --reference r`);
    expect(credited).toMatchObject({ balance: '1.000000' });
    expect((await tollgate.json('api-key create --name one')).key).toMatch(/^tollgate_v1_/);
    await tollgate.json('keys rotate');
    expect(await tollgate.json('ledger verify')).toMatchObject({ ok: true });
    await tollgate.remove();
  });
});
