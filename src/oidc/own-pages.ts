// People sign in to our own pages through the engine, like to any application, and the code that comes back is taken in
// the process (taken-code.ts).
import type Provider from 'oidc-provider';
import { ownPages } from '../first-party/clients.ts';
import type { Redeem } from '../first-party/sign-in.ts';
import { takeCode } from './taken-code.ts';

export function createOwnPageRedeem({ provider }: { provider: Provider }): Redeem {
  return async (area, presented) => {
    const taken = await takeCode(provider, { ...presented, clientId: ownPages[area].clientId });
    return taken && { accountId: taken.accountId, sessionHash: taken.sessionHash };
  };
}
