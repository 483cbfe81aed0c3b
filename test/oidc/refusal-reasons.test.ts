// Every sentence with which the engine can refuse an authorization or token request has words of ours for the company.
// Read from the engine's own files, so that a release that adds one is noticed.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { errors } from 'oidc-provider';
import {
  type Refusal,
  reasonOfRequestRefusal,
  reasonOfTokenRefusal,
} from '../../src/oidc/errors/refusal-reason.ts';
import { reasonTexts } from '../../src/traces/step.ts';

const library = dirname(createRequire(import.meta.url).resolve('oidc-provider'));

const requestFiles = [
  ...['response_parameters', 'request_parameters', 'scopes', 'claims', 'sender_constraints', 'client'].map(
    (name) => `actions/authorization/${name}.js`,
  ),
  'actions/authorization/process_request_object.js',
  'actions/authorization/pushed_authorization_requests.js',
  'helpers/validate_dpop.js',
  'helpers/validate_presence.js',
  'helpers/pkce_format.js',
  'shared/reject_dupes.js',
  'shared/check_resource.js',
  'shared/selective_body.js',
];
const tokenFiles = [
  'actions/token.js',
  'actions/grants/authorization_code.js',
  'actions/grants/client_credentials.js',
  'actions/grants/refresh_token.js',
  'helpers/grant_common.js',
  'helpers/grant_source.js',
  'helpers/pkce_format.js',
  'helpers/resolve_resource.js',
  'helpers/validate_presence.js',
  'helpers/sender_constraints.js',
  'helpers/validate_dpop.js',
  'shared/check_resource.js',
  'shared/client_auth.js',
  'shared/jwt_client_auth.js',
  'shared/cors.js',
  'shared/reject_dupes.js',
  'shared/selective_body.js',
];

/** Of what is switched off here, or decided before a client says anything. */
const neverSaid =
  /nonceSecret|mutual TLS|x5t|attest|Attestation|CIBA|decrypt|encrypted request|certificate|tx_code|authorization_details|redirect_uris|is not allowed for this client|response_mode is not|Relay Mode|secret is expired|unless encrypted|id_token_hint alg|grant_type/i;

/** `named`: what the engine puts into its sentences here. */
async function refusalsOf(files: string[], named: { list: string; parameter: string }): Promise<Refusal[]> {
  const texts = await Promise.all(files.map((file) => readFile(join(library, file), 'utf8')));
  return texts.flatMap((text) =>
    [
      ...text.matchAll(
        /new (Invalid\w+|Un\w+|Access\w+|Request\w+|Registration\w+|ErrorClass)\(\s*(?:(['`])(.*?)\2)?/g,
      ),
    ].flatMap(([, name = '', , message = '']) => {
      const said = message
        .replace(/\$\{formatters.pluralize\('(\w+)'[^}]*\}/g, '$1')
        .replace(/\$\{formatters[^}]*\}/g, named.list)
        .replace(/\$\{(?:param|entityLabel|label)\}/g, named.parameter)
        .replace(/\$\{[^}]*\}/g, 'x');
      const Refused = Object.entries(errors).find(
        ([known]) => known === name.replace('ErrorClass', 'InvalidGrant'),
      )?.[1];
      if (typeof Refused !== 'function' || neverSaid.test(said)) return [];
      // Its sentence is put together elsewhere, from those above.
      if (name === 'InvalidRequest' && said === '') return [];
      return [Reflect.construct(Refused, said === '' ? [] : [said])];
    }),
  );
}

const words = ({ error, error_description: description, error_detail: detail }: Refusal) =>
  `${error}: ${detail ?? ''} ${description ?? ''}`;

test('of an authorization request', async () => {
  const refusals = await refusalsOf(requestFiles, { list: 'state', parameter: 'code_challenge' });
  expect(refusals.length).toBeGreaterThan(20);
  const wordless = refusals.filter((refusal) => reasonOfRequestRefusal(refusal) === 'request_malformed');
  expect(wordless.map(words)).toEqual([]);
});

test('of a token request', async () => {
  const refusals = await refusalsOf(tokenFiles, { list: 'code', parameter: 'code_verifier' });
  expect(refusals.length).toBeGreaterThan(25);
  const kinds = [
    { isPublic: true, isRefresh: false },
    { isPublic: false, isRefresh: true },
  ];
  const wordless = refusals.filter((refusal) =>
    kinds.some((kind) =>
      [undefined, 'token_request_malformed'].includes(reasonOfTokenRefusal(refusal, kind)),
    ),
  );
  expect(wordless.map(words)).toEqual([]);
});

test('no reason tells anybody that there is nothing to change', () => {
  const generic = Object.entries(reasonTexts).filter(([, { todo }]) => /nothing to change/i.test(todo));
  expect(generic).toEqual([]);
});
