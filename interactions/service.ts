// What a person is signing in to: a company's application, or pages of our own, which are no company's application and
// stand in no list, but look like one here.
import {
  type ApplicationWithAppearance,
  findApplicationWithAppearance,
  plainAppearance,
} from '../src/applications/appearance.ts';
import type { Database } from '../src/database/connection.ts';
import { FIRST_PARTY_NAME, findFirstPartyClient } from '../src/first-party/clients.ts';
import { triedClientId } from '../src/first-party/trial.ts';

export async function findService(
  db: Database,
  clientId: string,
): Promise<ApplicationWithAppearance | undefined> {
  const own = findFirstPartyClient(clientId);
  if (own) return ourselves(own.clientId);
  // A trial looks like the application itself.
  return findApplicationWithAppearance(db, triedClientId(clientId) ?? clientId);
}

function ourselves(clientId: string): ApplicationWithAppearance {
  return {
    id: clientId,
    workspaceId: '',
    clientId,
    name: FIRST_PARTY_NAME,
    clientType: 'confidential',
    redirectUris: [],
    postLogoutRedirectUris: [],
    allowedOrigins: [],
    isCompatible: false,
    isTest: false,
    wentLiveAt: null,
    testAddresses: [],
    isService: false,
    backchannelLogoutUri: null,
    backchannelLogoutSessionRequired: false,
    allowsDevices: false,
    logo: null,
    createdAt: new Date(0),
    disabledAt: null,
    deletedAt: null,
    appearance: plainAppearance,
  };
}
