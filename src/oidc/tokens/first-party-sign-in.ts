// People sign in to our first-party clients through the engine, like to any application, and the code that comes back is
// consumed in the process (consumed-code.ts).
import type Provider from 'oidc-provider';
import { firstPartyClients } from '../../first-party/clients.ts';
import type { RedeemCode } from '../../first-party/sign-in.ts';
import { consumeCode } from './consumed-code.ts';

export function createRedeemCode({ provider }: { provider: Provider }): RedeemCode {
  return async (area, presented) => {
    const consumed = await consumeCode(provider, {
      ...presented,
      clientId: firstPartyClients[area].clientId,
    });
    return consumed && { accountId: consumed.accountId, sessionHash: consumed.sessionHash };
  };
}
