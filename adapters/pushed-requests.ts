// Pushed authorization requests (RFC 9126): they wait for a browser within the same budgets as the requests that browsers
// bring, and leave the budgets as soon as a code was issued for one. The record stays for its minute, so that it is known
// to be used.
import { type Adapter, errors } from 'oidc-provider';
import { InteractionAdapter } from './interactions.ts';

export const PUSHED_REQUESTS = 'PushedAuthorizationRequest';

export class PushedRequestAdapter extends InteractionAdapter implements Adapter {
  /** Of any number of browsers that bring it at once, one gets a code (RFC 9126 §4). */
  override async consume(id: string): Promise<void> {
    try {
      await super.consume(id);
    } catch (error) {
      if (error instanceof errors.InvalidGrant)
        throw new errors.InvalidRequestUri('request_uri was already used');
      throw error;
    }
    await this.release(id);
  }
}
