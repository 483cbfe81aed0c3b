// What a person is signing in to: a company's application, or pages of our own, which are no company's application and
// stand in no list, but look like one here.
import { type Application, findApplicationByClientId } from '../src/applications/application.ts';
import type { Database } from '../src/database/connection.ts';
import { FIRST_PARTY_NAME, findFirstPartyClient } from '../src/first-party/clients.ts';
import { triedClientId } from '../src/first-party/trial.ts';

export async function findService(db: Database, clientId: string): Promise<Application | undefined> {
  const own = findFirstPartyClient(clientId);
  if (own) return ourselves(own.clientId);
  // A trial looks like the application itself.
  return findApplicationByClientId(db, triedClientId(clientId) ?? clientId);
}

function ourselves(clientId: string): Application {
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
    backchannelLogoutUri: null,
    backchannelLogoutSessionRequired: false,
    logo: null,
    createdAt: new Date(0),
    disabledAt: null,
    deletedAt: null,
  };
}
