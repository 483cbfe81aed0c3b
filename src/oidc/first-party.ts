// People sign in to our first-party clients through the engine, like to any application, and the code that comes back is
// consumed in the process (taken-code.ts).
import type Provider from 'oidc-provider';
import { firstPartyClients } from '../first-party/clients.ts';
import type { RedeemCode } from '../first-party/sign-in.ts';
import { takeCode } from './taken-code.ts';

export function createRedeemCode({ provider }: { provider: Provider }): RedeemCode {
  return async (area, presented) => {
    const taken = await takeCode(provider, { ...presented, clientId: firstPartyClients[area].clientId });
    return taken && { accountId: taken.accountId, sessionHash: taken.sessionHash };
  };
}
