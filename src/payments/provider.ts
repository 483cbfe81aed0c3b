// How companies pay: the port that every payment provider fills. One file per provider beside this
// one; the ones that the configuration switches on are in providers.ts.

/** What the provider says has become of a payment; `under_way`: nothing yet. */
export type ProviderPayment = {
  /** Our id, as the provider got it from us. */
  paymentId: string;
  /** The provider's own. */
  providerReference: string;
  outcome: 'paid' | 'failed' | 'expired' | 'under_way';
  /** Micro-units. */
  amount: bigint;
  /** ISO 4217, upper case. */
  currency: string;
};

export type ProviderRefund = {
  paymentId: string;
  /** Micro-units: everything returned of this payment so far. */
  refundedInAll: bigint;
  currency: string;
};

export type Notification =
  | { about: 'payment'; id: string; payment: ProviderPayment }
  | { about: 'refund'; id: string; refund: ProviderRefund }
  /** Not for us: another product that uses the same account at the provider, or a kind that we do not need. */
  | { about: 'nothing'; id: string; type: string };

export type PaymentToStart = {
  paymentId: string;
  amount: bigint;
  currency: string;
  /** What the person sees that they pay for. */
  description: string;
  email: string;
  successUrl: string;
  cancelUrl: string;
  createdAt: Date;
};

export type PaymentProvider = {
  name: string;
  /** For people. */
  title: string;
  /** Where its pages are, for the content security policy of the form that leads there. */
  pagesOrigin: string;
  /** Why this amount cannot be paid there, as a sentence; undefined when it can. */
  refusalOf(amount: bigint, currency: string): string | undefined;
  /** @throws TollgateError invalid_request with the provider's reason, service_unavailable when it does not answer. */
  start(payment: PaymentToStart): Promise<{ providerReference: string; url: string }>;
  /** For notifications that were lost. */
  lookUp(providerReference: string): Promise<ProviderPayment | undefined>;
  /** @throws TollgateError invalid_request for a forged, old or unreadable one. */
  readNotification(body: string, signature: string): Promise<Notification>;
  /** For the doctor. @returns why it does not work. */
  tryKey(): Promise<string | undefined>;
};
