// How the engine gets the key sets of companies' backends: by the sender of webhooks, made when somebody needs it.
import { clientKeySetFetchMilliseconds } from '../limits/assurance.ts';
import { createClientKeyFetch, type FetchForEngine } from '../oidc/clients/client-key-fetch.ts';
import { endpointRulesOf } from '../webhooks/endpoint-url.ts';
import { createSafeRequest } from '../webhooks/safe-request.ts';
import type { Services } from './services.ts';
import { readExtraCa } from './workers.ts';

export function fetchClientKeysOf({ config }: Pick<Services, 'config'>): FetchForEngine {
  return createClientKeyFetch(async () =>
    createSafeRequest({
      rules: endpointRulesOf(config),
      extraCa: await readExtraCa({ config }),
      timeoutMilliseconds: clientKeySetFetchMilliseconds,
    }),
  );
}
