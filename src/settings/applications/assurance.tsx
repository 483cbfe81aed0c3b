// Assurance of an application: how its tokens are signed, and what it asks for beyond a plain sign-in. An owner decides,
// with a fresh sign-in, and the audit log keeps it.
import type { Context } from 'koa';
import {
  type Assurance,
  assuranceDetail,
  changeAssurance,
  findAssurance,
} from '../../applications/assurance.ts';
import { parseClientKeySet } from '../../applications/client-key-set.ts';
import { defaultSigningAlgorithm, isSigningAlgorithm } from '../../applications/signing-algorithm.ts';
import { renderPage } from '../../page/document.tsx';
import { checkEndpoint, createResolver, endpointRulesOf } from '../../webhooks/endpoint-url.ts';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { AssurancePage, type TypedAssurance } from './assurance-form.tsx';
import { applicationRest } from './frame.tsx';
import { applicationOf, audited, problemOf } from './visit.ts';

const PATH = '/applications/:application/assurance';

export function createAssuranceRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const rules = endpointRulesOf(deps.config);
  const resolve = createResolver();
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const typed = typedOf(await findAssurance(deps.db, application.id));
    ctx.body = renderPage(<AssurancePage {...{ visit, application, typed }} />);
  };
  const save = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const typed = readTyped(request.fields);
    const { id, workspaceId } = application;
    const problem = await problemOf(async () => {
      const { keySetUri } = typed;
      if (keySetUri !== null) await checkEndpoint(keySetUri, { rules, resolve });
      const keySet = typed.keySet === '' ? null : parseClientKeySet(typed.keySet);
      const wanted = { ...typed, keySet };
      await audited(deps, visit, {
        action: 'application.assurance_changed',
        target: id,
        detail: assuranceDetail(wanted),
        make: (tx, now) => changeAssurance(tx, { id, workspaceId }, { ...wanted, now }),
      });
    });
    if (problem === undefined)
      return redirectTo(ctx, deps, visit, applicationRest(application), {
        notice: 'Saved. It applies from the next request on.',
      });
    ctx.status = 400;
    ctx.body = renderPage(<AssurancePage {...{ visit, application, typed, problem }} />);
  };
  return [
    { method: 'GET', path: PATH, role: 'owner', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'owner', fresh: true, handle: save },
  ];
}

function typedOf({ keySet, ...assurance }: Assurance): TypedAssurance {
  return { ...assurance, keySet: keySet ? JSON.stringify(keySet, null, 2) : '' };
}

function readTyped(fields: SettingsRequest['fields']): TypedAssurance {
  const isOn = (name: string) => fields[name] === 'on';
  return {
    signingAlgorithm: isSigningAlgorithm(fields.algorithm) ? fields.algorithm : defaultSigningAlgorithm,
    clientAuthentication: fields.authentication === 'private_key_jwt' ? 'private_key_jwt' : 'secret',
    keySet: (fields.key_set ?? '').trim(),
    keySetUri: (fields.key_set_uri ?? '').trim() || null,
    requiresPushedRequests: isOn('pushed'),
    requiresDpop: isOn('dpop'),
    requiresSignedRequests: isOn('signed'),
    isFapi2: isOn('fapi2'),
  };
}
