// Rate limits: requests for each key and window (docs/limits.md).
import { deviceRateLimits } from './devices.ts';
import { HOUR, MINUTE } from './units.ts';

/** Per network address they are generous, because offices and mobile networks share one. */
export const rateLimits = {
  authorize: { count: 600, seconds: MINUTE },
  sign_in_posts: { count: 120, seconds: MINUTE },
  registrations: { count: 60, seconds: HOUR },
  code_requests: { count: 60, seconds: HOUR },
  /** Wrong client secrets and failed exchanges: only failures count. */
  failed_exchanges: { count: 50, seconds: 10 * MINUTE },
  failed_api_keys: { count: 60, seconds: MINUTE },
  /** Per network address as well: one backend exchanges for all of its customers. */
  token_requests: { count: 6_000, seconds: MINUTE },
  ...deviceRateLimits,
  userinfo_requests: { count: 6_000, seconds: MINUTE },
  api_requests: { count: 600, seconds: MINUTE },
  /** Per workspace: each reads every customer of an application. */
  customer_exports: { count: 10, seconds: HOUR },
  /** Forms of company settings. */
  settings_posts: { count: 240, seconds: MINUTE },
  checkout_starts: { count: 30, seconds: HOUR }, // per workspace: each is asked about until it is settled
  /** Per network address; Stripe repeats what is refused. */
  payment_notifications: { count: 600, seconds: MINUTE },
  /** Replays per workspace: nobody hammers an endpoint through us. */
  webhook_sends: { count: 30, seconds: MINUTE },
  /** Test events per workspace, and per person in all of their workspaces: nobody pays for them. */
  webhook_tests: { count: 10, seconds: MINUTE },
  webhook_tests_of_person: { count: 20, seconds: MINUTE },
  /** Per member: each computes up to a thousand signatures. */
  signature_checks: { count: 30, seconds: MINUTE },
} as const;
