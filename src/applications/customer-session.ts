// What a customer holds of an application at this moment, as the company sees it and can end it. The engine's store
// answers (adapters/customer-sessions.ts); the roof hands it to the settings.
import type { Database } from '../database/connection.ts';

export type CustomerSession = {
  startedAt: Date;
  scopes: string[];
  /** The newest one: a public client gets another at each use, so this is when it was last used. */
  refreshToken: { issuedAt: Date; endsAt: Date | undefined } | undefined;
};

export type CustomerKey = { accountId: string; clientId: string };

export type CustomerSessions = {
  /** Newest first. */
  list(db: Database, customer: CustomerKey): Promise<CustomerSession[]>;
  /** Their codes, access and refresh tokens are worth nothing from the commit on. @returns how many there were */
  end(tx: Database, customer: CustomerKey): Promise<number>;
};
