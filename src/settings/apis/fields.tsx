// The fields of an API: what it is called, its scopes in the company's words, what its tokens are, and which applications
// may have them. The same for a new one and for a change, which leaves the identifier.
import type { Application } from '../../applications/application.ts';
import {
  newResource,
  type ResourceInput,
  type ResourceScope,
  requireIdentifier,
  requireResource,
  requireScopes,
} from '../../applications/resource.ts';
import type { FormFields } from '../../http/form.ts';
import {
  applicationNameCharacters,
  resourceIdentifierCharacters,
  resourceTokenSeconds,
  resourceTokenSecondsDefault,
} from '../../limits/applications.ts';
import { MINUTE } from '../../limits/units.ts';
import { CheckFields, RadioFields, SelectField } from '../../page/choice-field.tsx';
import { TextAreaField, TextField, UrlField } from '../../page/field.tsx';
import { problemOf } from '../applications/visit.ts';

export type ApiInput = ResourceInput & { identifier: string };
/** One sentence for each wrong field; `page` for what no field can mend. */
export type ApiProblems = Partial<Record<'identifier' | 'name' | 'scopes' | 'page', string | undefined>>;

const ASK = 'ask_';
const INTROSPECT = 'introspect_';

export const emptyInput: ApiInput = { ...newResource, identifier: '' };

export function readApiInput(fields: FormFields): ApiInput {
  const chosen = (prefix: string) =>
    Object.keys(fields).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
  return {
    identifier: (fields.identifier ?? '').trim(),
    name: (fields.name ?? '').trim(),
    tokenFormat: fields.format === 'opaque' ? 'opaque' : 'jwt',
    tokenSeconds: Number(fields.seconds ?? resourceTokenSecondsDefault),
    scopes: readScopes(fields.scopes ?? ''),
    askingIds: chosen(ASK),
    introspectingIds: chosen(INTROSPECT),
  };
}

/** One line for each: the scope, a space, and what it allows. */
function readScopes(text: string): ResourceScope[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [scope = ''] = line.split(/\s/);
      return { scope, description: line.slice(scope.length).trim() };
    });
}

function writeScopes(scopes: ResourceScope[]): string {
  return scopes.map(({ scope, description }) => `${scope} ${description}`).join('\n');
}

/** `isNew`: with an identifier. */
export async function apiProblems(input: ApiInput, { isNew }: { isNew: boolean }): Promise<ApiProblems> {
  const scopes = await problemOf(() => requireScopes(input.scopes));
  return {
    ...(isNew && { identifier: await problemOf(() => requireIdentifier(input.identifier)) }),
    scopes,
    name: scopes ? undefined : await problemOf(() => requireResource(input)),
  };
}

type ApiFieldsProps = {
  input: ApiInput;
  problems: ApiProblems;
  applications: Application[];
  isNew: boolean;
};

export function ApiFields({ input, problems, applications, isNew }: ApiFieldsProps) {
  const confidential = applications.filter(({ clientType }) => clientType !== 'public');
  return (
    <>
      {isNew && (
        <UrlField
          name="identifier"
          label="Identifier"
          hint="What applications send as resource, and the audience (aud) of every token. It can’t be changed later, and nothing is ever sent to it."
          placeholder="https://api.shop.example"
          maximum={resourceIdentifierCharacters}
          value={input.identifier}
          problem={problems.identifier}
          required
          focused
        />
      )}
      <TextField
        name="name"
        label="Name"
        hint="People read it when they are asked to agree."
        autocomplete="off"
        maximum={applicationNameCharacters}
        value={input.name}
        problem={problems.name}
        required
      />
      <TextAreaField
        name="scopes"
        label="Scopes"
        hint="One per line: the scope, a space, and what it allows in words that people understand. For example: orders:read See your orders"
        value={writeScopes(input.scopes)}
        problem={problems.scopes}
        rows={5}
        required
      />
      <RadioFields
        name="format"
        legend="Access tokens"
        value={input.tokenFormat}
        options={[
          {
            value: 'jwt',
            label: 'JWT',
            hint: 'Your API verifies them by itself with our public keys. They can’t be revoked, so keep their lifetime short.',
          },
          {
            value: 'opaque',
            label: 'Opaque',
            hint: 'Your API asks us about each token (introspection). A logout or revocation counts at once.',
          },
        ]}
      />
      <SelectField
        name="seconds"
        label="Lifetime"
        value={String(input.tokenSeconds)}
        options={resourceTokenSeconds.map((seconds) => ({
          value: String(seconds),
          label: `${seconds / MINUTE} minutes`,
        }))}
      />
      {applications.length > 0 && (
        <CheckFields
          legend="Applications that may ask for tokens"
          hint="All others are refused."
          fields={boxes(ASK, applications, input.askingIds)}
        />
      )}
      {confidential.length > 0 && (
        <CheckFields
          legend="Applications that may introspect its tokens"
          hint="The application whose Client ID and secret your API uses, if its tokens are opaque."
          fields={boxes(INTROSPECT, confidential, input.introspectingIds)}
        />
      )}
    </>
  );
}

function boxes(prefix: string, applications: Application[], chosen: string[]) {
  return applications.map(({ id, name, isTest }) => ({
    name: `${prefix}${id}`,
    label: isTest ? `${name} (test mode)` : name,
    checked: chosen.includes(id),
  }));
}
