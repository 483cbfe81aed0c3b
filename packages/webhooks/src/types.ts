// Types of webhooks, and of the answers of the customer-data API: made by `npm run webhook-types`, not by hand. Fields may
// be added; ignore what you do not know.

/** Every webhook; `type` tells which. */
export type WebhookEvent = RegistrationCompleted | LoginCompleted;

export type RegistrationCompleted = {
  /** The same on every attempt, and the `id` of the event in the API: deduplicate by it. */
  id: string;
  /** What happened. */
  type: 'identity.registration.completed.v1';
  /** When the event was committed to the ledger, RFC 3339 in UTC. */
  created_at: string;
  /** False for an event of an application in test mode. */
  livemode: boolean;
  /** The session and whose it was; its fields are below. */
  data: {
    /** The application it happened in. */
    application_id: string;
    /** Only in a test event sent from company settings. It did not happen and is not in the API. */
    test?: true;
    /** As in the customers list: `sub`, `email`, `email_verified`, `name`. */
    customer: {
      /** Stable subject identifier of the customer in this application; the `sub` of its ID Tokens. */
      sub: string;
      /** Verified email address. It may change; `sub` does not. */
      email: string;
      /** Whether the person has proven that the address is theirs. */
      email_verified: boolean;
      /** The person’s name, or null. */
      name: string | null;
    };
    /** `registration` for the first session in the application, `sign_in` for a later one. */
    kind: 'registration' | 'sign_in';
    /** Price of the session in `currency`, a decimal with six places. */
    amount: string;
    /** ISO 4217 code. */
    currency: string;
    /** `reversed` once the charge was reversed by a later transfer in the ledger. */
    status: 'committed' | 'reversed';
  };
};

export type LoginCompleted = {
  /** The same on every attempt, and the `id` of the event in the API: deduplicate by it. */
  id: string;
  /** What happened. */
  type: 'identity.login.completed.v1';
  /** When the event was committed to the ledger, RFC 3339 in UTC. */
  created_at: string;
  /** False for an event of an application in test mode. */
  livemode: boolean;
  /** The session and whose it was; its fields are below. */
  data: {
    /** The application it happened in. */
    application_id: string;
    /** Only in a test event sent from company settings. It did not happen and is not in the API. */
    test?: true;
    /** As in the customers list: `sub`, `email`, `email_verified`, `name`. */
    customer: {
      /** Stable subject identifier of the customer in this application; the `sub` of its ID Tokens. */
      sub: string;
      /** Verified email address. It may change; `sub` does not. */
      email: string;
      /** Whether the person has proven that the address is theirs. */
      email_verified: boolean;
      /** The person’s name, or null. */
      name: string | null;
    };
    /** `registration` for the first session in the application, `sign_in` for a later one. */
    kind: 'registration' | 'sign_in';
    /** Price of the session in `currency`, a decimal with six places. */
    amount: string;
    /** ISO 4217 code. */
    currency: string;
    /** `reversed` once the charge was reversed by a later transfer in the ledger. */
    status: 'committed' | 'reversed';
  };
};

export type Customer = {
  /** Stable subject identifier of the customer in this application; the `sub` of its ID Tokens. */
  sub: string;
  /** Verified email address. It may change; `sub` does not. */
  email: string;
  /** Whether the person has proven that the address is theirs. */
  email_verified: boolean;
  /** The person’s name, or null. */
  name: string | null;
  /** First session, RFC 3339 in UTC. */
  registered_at: string;
  /** Latest session, RFC 3339 in UTC. */
  last_sign_in_at: string;
  /** Sessions in this application. */
  sign_in_count: number;
  /** False for a customer of an application in test mode. */
  livemode: boolean;
};

export type CustomerPage = {
  /** Newest first, unless `order` says otherwise. */
  data: Customer[];
  /** Whether a next page exists. */
  has_more: boolean;
  /** Pass it as `cursor`, with the same filters, for the next page. Null on the last one, except with `order`. */
  next_cursor: string | null;
};

export type UsageEvent = {
  /** Identifier of the event, and the `id` of its webhook. */
  id: string;
  /** `registration` for the first session in the application, `sign_in` for a later one. */
  kind: 'registration' | 'sign_in';
  /** Stable subject identifier of the customer in this application; the `sub` of its ID Tokens. */
  sub: string;
  /** Price of the session in `currency`, a decimal with six places. */
  amount: string;
  /** ISO 4217 code. */
  currency: string;
  /** `reversed` once the charge was reversed by a later transfer in the ledger. */
  status: 'committed' | 'reversed';
  /** When the session was charged, RFC 3339 in UTC. */
  occurred_at: string;
  /** False for an event of an application in test mode. */
  livemode: boolean;
};

export type UsageEventPage = {
  /** Newest first, unless `order` says otherwise. */
  data: UsageEvent[];
  /** Whether a next page exists. */
  has_more: boolean;
  /** Pass it as `cursor`, with the same filters, for the next page. Null on the last one, except with `order`. */
  next_cursor: string | null;
};

export type ApiError = {
  /** Stable code, for programs. */
  error: string;
  /** Explanation, for people; its wording may change. */
  error_description: string;
};
