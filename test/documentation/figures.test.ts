// The tables of docs/tokens.md, docs/limits.md and docs/errors.md say what the code does: each figure is read from
// src/limits, and each status from the one vocabulary of errors.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { type ErrorCode, TollgateError } from '../../src/errors.ts';
import * as apiKeys from '../../src/limits/api-keys.ts';
import * as applications from '../../src/limits/applications.ts';
import * as assurance from '../../src/limits/assurance.ts';
import * as credentials from '../../src/limits/credentials.ts';
import * as listening from '../../src/limits/listening.ts';
import * as pages from '../../src/limits/pages.ts';
import * as rates from '../../src/limits/request-rates.ts';
import * as requests from '../../src/limits/requests.ts';
import { invitationsPerWorkspace, membersPerWorkspace } from '../../src/limits/settings.ts';
import {
  authorizationParameterBytes,
  authorizationRequestBytes,
  untouchedInteractionSeconds,
} from '../../src/limits/strangers.ts';
import * as lifetimes from '../../src/limits/token-lifetimes.ts';
import * as webhooks from '../../src/limits/webhooks.ts';

const pageOf = (name: string) => readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
const number = (value: number) => value.toLocaleString('en');

/** As the page writes it: a minute is 60 seconds until there is a second one. */
function duration(seconds: number): string {
  const units = [
    { size: 86_400, name: 'days' },
    { size: 3_600, name: 'hours' },
    { size: 60, name: 'minutes' },
  ];
  const unit = units.find(({ size }) => seconds % size === 0 && seconds / size > 1);
  return unit ? `${seconds / unit.size} ${unit.name}` : `${seconds} seconds`;
}
/** Up to two hours in minutes, up to two days in hours. */
function lifetime(seconds: number): string {
  if (seconds <= 60) return `${seconds} seconds`;
  if (seconds < 7_200) return `${seconds / 60} minutes`;
  if (seconds < 172_800) return `${seconds / 3_600} hours`;
  return duration(seconds);
}
function rate({ count, seconds }: { count: number; seconds: number }): string {
  const windows: Record<number, string> = {
    60: 'a minute',
    600: 'in 10 minutes',
    3600: 'an hour',
    86400: 'a day',
  };
  return `${number(count)} ${windows[seconds]}`;
}
const kibibytes = (bytes: number) => `${bytes / 1024} KiB`;

const figures: Record<string, Record<string, string>> = {
  tokens: {
    'Authorization code': lifetime(lifetimes.authorizationCodeSeconds),
    'Access token, confidential application': lifetime(lifetimes.confidentialAccessTokenSeconds),
    'Access token, public application': lifetime(lifetimes.publicAccessTokenSeconds),
    'ID Token': lifetime(lifetimes.idTokenSeconds),
    'Refresh token, confidential application': lifetime(lifetimes.confidentialRefreshTokenSeconds),
    'Refresh token, public application': lifetime(lifetimes.publicRefreshTokenSeconds),
    'Session at Tollgate, unused': lifetime(lifetimes.sessionIdleSeconds),
    'Session at Tollgate, at most': lifetime(lifetimes.sessionAbsoluteSeconds),
    'Page of a sign-in under way': `${lifetime(lifetimes.interactionSeconds)} | ${lifetime(untouchedInteractionSeconds)} until`,
    'One-time code by mail': lifetime(credentials.oneTimeCodeSeconds),
    'Key set, in your cache': lifetime(lifetimes.keySetCacheSeconds),
  },
  limits: {
    'Authorization requests': rate(rates.rateLimits.authorize),
    'Forms of the sign-in pages': rate(rates.rateLimits.sign_in_posts),
    Registrations: rate(rates.rateLimits.registrations),
    'Requests for a one-time code': rate(rates.rateLimits.code_requests),
    'Codes mailed to one address': rate(credentials.codeMailsPerEmail),
    'Token requests, revocation and introspection included': rate(rates.rateLimits.token_requests),
    'Failed exchanges and wrong secrets': rate(rates.rateLimits.failed_exchanges),
    'Codes that devices begin with': rate(rates.rateLimits.device_requests),
    'Codes of devices, typed': rate(rates.rateLimits.user_codes_of_address),
    'Codes of devices, typed in one browser': rate(rates.rateLimits.user_codes_of_browser),
    'Requests of a device that waits': `one in ${rates.rateLimits.device_polls.seconds} seconds`,
    'UserInfo requests': rate(rates.rateLimits.userinfo_requests),
    'API requests': rate(rates.rateLimits.api_requests),
    'API requests that wait for events': `${listening.listenersPerCompany} at once, of a process`,
    'Wrong API keys': rate(rates.rateLimits.failed_api_keys),
    'Exports of customers': rate(rates.rateLimits.customer_exports),
    'Webhook replays': rate(rates.rateLimits.webhook_sends),
    'Test events': rate(rates.rateLimits.webhook_tests),
    Invitations: rate(invitationsPerWorkspace),
    'Authorization request, all parameters': kibibytes(authorizationRequestBytes),
    '`state`': `${number(authorizationParameterBytes.state ?? 0)} bytes`,
    '`nonce`': `${number(authorizationParameterBytes.nonce ?? 0)} bytes`,
    'Callback address': `${number(applications.redirectUriCharacters)} characters`,
    'Callbacks of an application': number(applications.redirectUrisPerApplication),
    'Allowed origins of an application': number(applications.originsPerApplication),
    'Live Client Secrets of an application': number(applications.liveClientSecretsPerApplication),
    'Signed request, client assertion': kibibytes(assurance.signedParameterBytes),
    'Key set of a backend': `${kibibytes(assurance.clientKeySetBytes)}, ${assurance.clientKeysPerSet} keys`,
    'APIs of a workspace': number(applications.resourcesPerWorkspace),
    'Scopes of an API': `${applications.scopesPerResource}, of ${applications.scopeCharacters} characters; ${applications.scopeDescriptionCharacters} for`,
    'APIs in one authorization request': number(applications.resourcesPerRequest),
    'Customers in test mode': number(applications.customersInTestMode),
    'Test addresses of an application': number(applications.testAddressesPerApplication),
    'API keys of a workspace': number(apiKeys.apiKeysPerWorkspace),
    'Webhook subscriptions of a workspace': number(webhooks.webhookSubscriptionsPerWorkspace),
    'Members of a workspace': number(membersPerWorkspace),
    'Passkeys of a person': number(credentials.passkeysPerAccount),
    Logo: kibibytes(pages.logoBytes),
    'Rows of one page of the API': number(requests.listMaximum),
    'Password, at least': `${credentials.passwordMinimumCharacters} characters`,
    'Time for your answer': `${webhooks.webhookTimeoutMilliseconds / 1000} seconds`,
    'Your answer, at most': kibibytes(webhooks.webhookResponseBytes),
    Attempts: number(webhooks.webhookRetrySeconds.length),
    'Parallel requests to one endpoint': number(webhooks.webhookPlacesPerEndpoint),
    'Disabled after failing for': lifetime(webhooks.webhookDisabledAfterSeconds),
    'Replay until': lifetime(webhooks.webhookReplaySeconds),
    'Tolerance of the timestamp': `${webhooks.webhookToleranceSeconds} seconds`,
  },
};

/** Rows of all tables of a page, without heads and lines. */
async function rowsOf(name: string): Promise<string[]> {
  const lines = (await pageOf(name)).split('\n').filter((line) => line.startsWith('| '));
  return lines.filter((line) => !/^\| (What|Status|`error`|) ?\|/.test(line));
}

describe.each(Object.entries(figures))('docs/%s.md', (name, expected) => {
  test.each(Object.entries(expected))('%s: %s', async (what, figure) => {
    const row = (await rowsOf(name)).find((line) => line.startsWith(`| ${what} |`));
    expect(row?.slice(`| ${what} | `.length)).toMatch(
      new RegExp(`^${figure.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}( |$)`),
    );
  });
});

test('docs/limits.md has no figure that is not read from the code', async () => {
  const known = Object.keys(figures.limits ?? {});
  const named = (await rowsOf('limits')).map((row) => row.split(' | ')[0]?.slice('| '.length));
  expect(named.sort()).toEqual(known.sort());
});

/** Said by the engine, under the standards' own names; test/standards asks for them. */
const ofTheEngine = ['unauthorized_client', 'unsupported_token_type'];

test('docs/errors.md: every code with a status has the status that the service answers with', async () => {
  const rows = (await rowsOf('errors')).flatMap((row) => {
    const [, status, code] = /^\| (\d{3}) \| `(\w+)` \|/.exec(row) ?? [];
    return status && code && !ofTheEngine.includes(code) ? [{ status: Number(status), code }] : [];
  });
  expect(rows.length).toBeGreaterThan(10);
  for (const { status, code } of rows)
    expect({ code, status: new TollgateError(code as ErrorCode, '').status }).toEqual({ code, status });
});
