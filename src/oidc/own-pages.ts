// People sign in to our own pages through the engine, like to any application, and the code that comes back is taken in
// the process (taken-code.ts).
import type Provider from 'oidc-provider';
import type { Clock } from '../clock.ts';
import { ownPages } from '../own-pages.ts';
import type { Redeem } from '../way-in.ts';
import { takeCode } from './taken-code.ts';

export function createOwnPageRedeem({ provider, clock }: { provider: Provider; clock: Clock }): Redeem {
  return async (area, presented) => {
    const taken = await takeCode(provider, { ...presented, clientId: ownPages[area].clientId });
    if (!taken) return undefined;
    // The engine stamps sign-ins with the real time; only how long ago it was counts here.
    const ageMilliseconds = Math.max(0, Date.now() - taken.authTime * 1000);
    return { accountId: taken.accountId, authenticatedAt: new Date(clock().getTime() - ageMilliseconds) };
  };
}
