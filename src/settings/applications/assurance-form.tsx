// The form about the assurance of an application, and what each choice means for its developers.
import type { Application } from '../../applications/application.ts';
import type { Assurance } from '../../applications/assurance.ts';
import { clientKeySetBytes } from '../../limits/assurance.ts';
import { webhookUrlCharacters } from '../../limits/webhooks.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { CheckField, CheckFields, RadioFields, SelectField } from '../../page/choice-field.tsx';
import { TextAreaField, UrlField } from '../../page/field.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';

export type TypedAssurance = Omit<Assurance, 'keySet'> & { keySet: string };

type Props = {
  visit: MemberVisit;
  application: Application;
  typed: TypedAssurance;
  problem?: string | undefined;
};

export function AssurancePage({ visit, application, typed, problem }: Props) {
  const rest = applicationRest(application, '/assurance');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      heading="Assurance"
      lead="Everything here is optional. Each choice asks more of your software, and applies from the next request on."
      problem={problem && `Nothing was saved. ${problem}`}
    >
      <section class="panel">
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <SelectField
            name="algorithm"
            label="Tokens are signed with"
            hint="RS256 is known to every library. Keys of all three are in the key set, and change every 90 days."
            value={typed.signingAlgorithm}
            options={[
              { value: 'RS256', label: 'RS256' },
              { value: 'ES256', label: 'ES256' },
              { value: 'EdDSA', label: 'EdDSA (Ed25519)' },
            ]}
          />
          {application.clientType === 'confidential' && <BackendFields typed={typed} />}
          <CheckField
            name="dpop"
            label="Require DPoP"
            hint="Tokens are bound to a key of your software (RFC 9449), so that a stolen one is of no use."
            checked={typed.requiresDpop}
          />
          {application.clientType === 'confidential' && (
            <CheckField
              name="fapi2"
              label="FAPI 2.0 Security Profile"
              hint="Switches on, and keeps on: pushed requests, your own keys instead of the secret, DPoP, and ES256 or EdDSA. Client rules are strict."
              checked={typed.isFapi2}
            />
          )}
          <FormActions cancel={applicationPath(visit, application)}>Save</FormActions>
        </Form>
      </section>
    </ApplicationFrame>
  );
}

function BackendFields({ typed }: { typed: TypedAssurance }) {
  return (
    <>
      <CheckFields
        legend="Authorization requests"
        fields={[
          {
            name: 'pushed',
            label: 'Require pushed requests',
            hint: 'Your backend sends each request to us first (RFC 9126); what a browser carries is refused.',
            checked: typed.requiresPushedRequests,
          },
          {
            name: 'signed',
            label: 'Require signed requests',
            hint: 'Each pushed request is a JWT that your key signed (RFC 9101).',
            checked: typed.requiresSignedRequests,
          },
        ]}
      />
      <RadioFields
        name="authentication"
        legend="Your backend authenticates with"
        value={typed.clientAuthentication}
        options={[
          { value: 'secret', label: 'Client Secret' },
          {
            value: 'private_key_jwt',
            label: 'Its own key (private_key_jwt)',
            hint: 'Client Secrets are refused from then on. Enter the public keys below first.',
          },
        ]}
      />
      <TextAreaField
        name="key_set"
        label="Public keys"
        note="optional"
        hint="A JSON Web Key Set: RSA, P-256 or Ed25519, public keys only."
        code
        rows={6}
        maximum={clientKeySetBytes}
        value={typed.keySet}
      />
      <UrlField
        name="key_set_uri"
        label="Or the address of your key set"
        note="optional"
        hint="A public HTTPS address. We fetch it when we need it, and keep it for up to five minutes."
        placeholder="https://shop.example/jwks.json"
        maximum={webhookUrlCharacters}
        value={typed.keySetUri ?? ''}
      />
    </>
  );
}
