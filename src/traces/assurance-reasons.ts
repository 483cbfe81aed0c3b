// Why a request failed that was pushed, signed, authenticated by a key or bound to one, and what to do about it.

import type { Explanation } from './protocol-reasons.ts';

export const assuranceReasons = {
  push_required: {
    what: 'The application requires pushed requests, and this one was carried by the browser.',
    todo: 'Push it from your backend first, or switch that off: application, Overview, Assurance.',
  },
  pushed_request_over: {
    what: 'The pushed request was used before, or it was older than 60 seconds.',
    todo: 'Push a new request for each attempt, and send the browser on at once.',
  },
  pushed_by_public: {
    what: 'A public application pushed a request.',
    todo: 'Let the browser carry the request: only applications with a backend can push.',
  },
  signature_required: {
    what: 'The application requires signed requests, and this one was not signed.',
    todo: 'Sign it with your key, or switch that off: application, Overview, Assurance.',
  },
  signed_request_invalid: {
    what: 'The signed request could not be read or verified, or its claims were wrong.',
    todo: 'Check the key, and that iss is the Client ID, aud our issuer, and exp and nbf at most an hour apart.',
  },
  proof_invalid: {
    what: 'The DPoP proof was wrong, used before, or made with another key than the token.',
    todo: 'Make a new proof for each request, with the nonce of the last response and the same key.',
  },
  proof_missing: {
    what: 'The tokens are bound to a key (DPoP), and the request had no proof of it.',
    todo: 'Send a DPoP header, or switch the requirement off: application, Overview, Assurance.',
  },
  assertion_invalid: {
    what: 'The client assertion (private_key_jwt) could not be verified, or was used before.',
    todo: 'Check the key set under Assurance, the algorithm, and the claims iss, sub, aud, exp and jti.',
  },
} satisfies Record<string, Explanation>;
