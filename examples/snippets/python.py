# Python 3.9 or later: pip install 'authlib>=1.6.6' flask requests
import os
from urllib.parse import urlsplit

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

issuer = os.environ["TOLLGATE_ISSUER"]
callback = os.environ["TOLLGATE_CALLBACK"]

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
app.config.update(SESSION_COOKIE_SECURE=True, SESSION_COOKIE_SAMESITE="Lax")


class Attempts(dict):
    """State, nonce and verifier stay on the server: in Redis as soon as there are several processes."""

    def set(self, key, value, expires):
        self[key] = value

    def delete(self, key):
        self.pop(key, None)


oauth = OAuth(app, cache=Attempts())
oauth.register(
    name="tollgate",
    server_metadata_url=issuer + "/.well-known/openid-configuration",
    client_id=os.environ["TOLLGATE_CLIENT_ID"],
    client_secret=os.environ["TOLLGATE_CLIENT_SECRET"],
    # State and nonce are sent and checked by Authlib itself; PKCE has to be asked for.
    client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    customer = session.get("customer")
    return f"Signed in as {customer['email']}" if customer else '<a href="/sign-in">Sign in</a>'


@app.get("/sign-in")
def sign_in():
    return oauth.tollgate.authorize_redirect(callback)


@app.get(urlsplit(callback).path)
def signed_in():
    claims = oauth.tollgate.authorize_access_token()["userinfo"]
    # Know your customer by `sub`: the e-mail address may change.
    session["customer"] = {"sub": claims["sub"], "email": claims["email"]}
    return redirect("/")


if __name__ == "__main__":
    app.run(port=int(os.environ.get("PORT", "3001")))
