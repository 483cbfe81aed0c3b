// .env.example documents every setting that src/config/config.ts reads, in the same words: neither can drift.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { environmentSchema, readConfig } from '../../src/config/config.ts';

async function documentedVariables(): Promise<{ [name: string]: { description: string; value: string } }> {
  const text = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
  const [, ...blocks] = text.trim().split('\n\n');
  return Object.fromEntries(
    blocks.map((block) => {
      const lines = block.split('\n');
      const [name = '', value = ''] = lines.pop()?.split('=') ?? [];
      return [name, { description: lines.map((line) => line.replace(/^# /, '')).join(' '), value }];
    }),
  );
}

describe('settings by environment', () => {
  test('.env.example names exactly the variables that the configuration knows, in its words', async () => {
    const documented = await documentedVariables();
    const known = Object.entries(environmentSchema.shape).map(([name, schema]) => [name, schema.description]);
    expect(Object.entries(documented).map(([name, { description }]) => [name, description])).toEqual(known);
  });

  test('every description says what happens without the variable', () => {
    for (const [name, { description }] of Object.entries(environmentSchema.shape)) {
      expect([name, description]).toEqual([name, expect.stringMatching(/Default/)]);
    }
  });

  test('.env.example can be copied as it is: all of its values are empty, and empty means the default', async () => {
    const documented = await documentedVariables();
    const values = Object.fromEntries(Object.entries(documented).map(([name, { value }]) => [name, value]));
    expect(new Set(Object.values(values))).toEqual(new Set(['']));
    expect(readConfig(values)).toEqual(readConfig({}));
  });

  test('a wrong variable is refused by its name, with what it should be', () => {
    expect(() => readConfig({ PORT: 'eighty', LOG_LEVEL: 'loud' })).toThrow(/PORT: .*\n.*LOG_LEVEL: /);
    expect(() => readConfig({ BASE_URL: 'http://id.example.com' })).toThrow(/must start with https/);
    expect(() => readConfig({ TOLLGATE_SECRET: 'short' })).toThrow(/TOLLGATE_SECRET/);
  });

  test('the development inbox is there only when nobody but this machine can ask', () => {
    for (const HOST of ['', '127.0.0.1', 'localhost', '::1'])
      expect(readConfig({ HOST }).hasDevelopmentInbox).toBe(true);
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1'])
      expect(() => readConfig({ HOST })).toThrow(/SMTP_URL is required/);
    const SMTP_URL = 'smtp://127.0.0.1:1025';
    expect(readConfig({ HOST: '0.0.0.0', SMTP_URL }).hasDevelopmentInbox).toBe(false);
  });

  test("Stripe's two secrets are set together, and only a stand-in of this machine may be asked without TLS", () => {
    const both = { STRIPE_SECRET_KEY: 'sk_test_51abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };
    expect(readConfig(both).stripe).toEqual({
      secretKey: 'sk_test_51abc',
      webhookSecret: 'whsec_abc',
      apiUrl: undefined,
    });
    expect(() => readConfig({ ...both, STRIPE_WEBHOOK_SECRET: '' })).toThrow(/belong together/);
    expect(() => readConfig({ ...both, STRIPE_SECRET_KEY: 'pk_test_51abc' })).toThrow(/STRIPE_SECRET_KEY/);
    const stripeAt = (STRIPE_API_URL: string) => () => readConfig({ ...both, STRIPE_API_URL });
    expect(stripeAt('http://stripe.example')).toThrow(/STRIPE_API_URL/);
    expect(stripeAt('http://127.0.0.1:4242')().stripe?.apiUrl).toBe('http://127.0.0.1:4242');
  });
});
