# An API that takes Tollgate's JWT access tokens (RFC 9068). Python 3.10 or later: pip install "pyjwt[crypto]"
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt

ISSUER = os.environ["TOLLGATE_ISSUER"]
IDENTIFIER = os.environ["API_IDENTIFIER"]
# Fetched once and kept; again only when a token names a key that is not among them.
KEYS = jwt.PyJWKClient(f"{ISSUER}/oauth/jwks")


def read_token(header):
    """Who calls and what they may do; None: nobody whom we know."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token:
        return None
    try:
        if jwt.get_unverified_header(token).get("typ", "").lower() not in ("at+jwt", "application/at+jwt"):
            return None
        return jwt.decode(
            token,
            KEYS.get_signing_key_from_jwt(token).key,
            algorithms=["RS256"],
            audience=IDENTIFIER,
            issuer=ISSUER,
            options={"require": ["exp", "sub", "client_id"]},
        )
    except jwt.PyJWKClientConnectionError:
        # Keys that cannot be fetched are our own problem.
        raise
    except (jwt.InvalidTokenError, jwt.PyJWKClientError):
        return None


class Orders(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            caller = read_token(self.headers.get("Authorization", ""))
        except jwt.PyJWKClientConnectionError:
            return self.answer(503, {"error": "temporarily_unavailable"})
        if caller is None:
            return self.answer(401, {"error": "invalid_token"}, 'Bearer error="invalid_token"')
        if "orders:read" not in caller.get("scope", "").split(" "):
            challenge = 'Bearer error="insufficient_scope", scope="orders:read"'
            return self.answer(403, {"error": "insufficient_scope"}, challenge)
        self.answer(200, {"orders": [], "of": caller["sub"], "through": caller["client_id"]})

    def answer(self, status, body, challenge=None):
        self.send_response(status)
        if challenge:
            self.send_header("WWW-Authenticate", challenge)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4010"))), Orders).serve_forever()
