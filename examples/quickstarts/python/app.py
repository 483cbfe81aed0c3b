# Python 3.9 or later: pip install 'authlib>=1.6.6' flask requests
# Beside it, one file without dependencies: curl -O https://id.example.com/docs/files/tollgate_webhooks.py
import os
import secrets
import time
from urllib.parse import urlencode, urljoin, urlsplit

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, request, session
from markupsafe import escape
from tollgate_webhooks import WebhookVerificationError, verify_webhook

issuer = os.environ["TOLLGATE_ISSUER"]
callback = os.environ["TOLLGATE_CALLBACK"]
home = urljoin(callback, "/")

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
app.config.update(SESSION_COOKIE_NAME="__Host-session", SESSION_COOKIE_SECURE=True, SESSION_COOKIE_SAMESITE="Lax")


class OnTheServer(dict):
    """State, nonce, verifier and tokens: in Redis as soon as there are several processes."""

    def set(self, key, value, expires):
        self[key] = value

    def delete(self, key):
        self.pop(key, None)


oauth = OAuth(app, cache=OnTheServer())
oauth.register(
    name="tollgate",
    server_metadata_url=issuer + "/.well-known/openid-configuration",
    client_id=os.environ["TOLLGATE_CLIENT_ID"],
    client_secret=os.environ["TOLLGATE_CLIENT_SECRET"],
    # State and nonce are sent and checked by Authlib itself; PKCE has to be asked for.
    # offline_access: a refresh token, for as long as the person stays signed in.
    client_kwargs={"scope": "openid email profile offline_access", "code_challenge_method": "S256"},
)
signed_in_people = OnTheServer()
events = {}


def page(title, content):
    return f"<!doctype html><title>{title}</title><h1>{title}</h1>{content}"


def button(action, label):
    return f'<form method="post" action="{action}"><button>{label}</button></form>'


START_AGAIN = '<p><a href="/sign-in">Start again</a></p>'


@app.get("/")
def show_home():
    customer = session.get("customer")
    if not customer:
        return page("Shop", '<p><a href="/sign-in">Sign in</a></p>')
    return page("Shop", f'<p>Signed in as {escape(customer["email"])}</p><p><a href="/account">Account</a></p>')


@app.get("/sign-in")
def sign_in():
    return oauth.tollgate.authorize_redirect(callback)


@app.get(urlsplit(callback).path)
def signed_in():
    tokens = oauth.tollgate.authorize_access_token()
    claims = tokens["userinfo"]
    session.clear()
    # Know your customer by `sub`: the e-mail address may change.
    session["customer"] = {"sub": claims["sub"], "email": claims["email"]}
    # The cookie names the tokens, it does not hold them.
    session["id"] = secrets.token_urlsafe(32)
    signed_in_people[session["id"]] = dict(tokens)
    return redirect("/")


@app.get("/account")
def account():
    """A page for customers only. What it shows is read with the access token, renewed when it is about to end."""
    tokens = signed_in_people.get(session.get("id"))
    if not tokens:
        return redirect("/sign-in")
    if time.time() > tokens["expires_at"] - 30:
        tokens = renew(session["id"])
    profile = oauth.tollgate.userinfo(token=tokens)
    buttons = button("/renew", "Renew the access token") + button("/log-out", "Log out")
    return page("Account", f"<pre>{escape(dict(profile))}</pre>{buttons}")


@app.post("/renew")
def renew_now():
    if session.get("id") in signed_in_people:
        renew(session["id"])
    return redirect("/account")


def renew(session_id):
    """A refresh token works once. With several processes, hold a lock on the session while this runs."""
    tokens = signed_in_people[session_id]
    fresh = oauth.tollgate.fetch_access_token(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    signed_in_people[session_id] = {**tokens, **fresh}
    return signed_in_people[session_id]


@app.post("/log-out")
def log_out():
    tokens = signed_in_people.pop(session.get("id"), None)
    session.clear()
    if not tokens:
        return redirect("/")
    # Ends the session at Tollgate too: otherwise the next "Sign in" walks straight back in.
    end = oauth.tollgate.load_server_metadata()["end_session_endpoint"]
    return redirect(end + "?" + urlencode({"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": home}))


@app.post("/webhooks")
def receive_webhook():
    """The raw body is what was signed; answer 2xx only after the event is stored, and take each id once."""
    try:
        event = verify_webhook(request.headers, request.get_data(), os.environ.get("TOLLGATE_WEBHOOK_SECRET", ""))
    except WebhookVerificationError as error:
        return str(error), 400
    events.setdefault(event["id"], event)
    return "", 204


EXPLANATIONS = {
    "access_denied": (403, "You said no, and nothing was shared"),
    "invalid_grant": (400, "That took too long, or was opened twice"),
    "mismatching_state": (400, "This sign-in is over"),
    "temporarily_unavailable": (503, "Signing in is paused, please come back later"),
}


@app.errorhandler(OAuthError)
@app.errorhandler(requests.RequestException)
def explain(error):
    # For you, not for the person: what Tollgate said. Its reference (trc_…) is what Usage → Find a sign-in takes.
    app.logger.error("sign-in failed: %s", error)
    status, title = EXPLANATIONS.get(getattr(error, "error", ""), (502, "Signing in failed"))
    return page(title, START_AGAIN), status


if __name__ == "__main__":
    # It hears plain http behind whatever ends TLS for you: a proxy, or `npx tollgate local-https 4443 --to 3001`.
    app.run(port=int(os.environ.get("PORT", "3001")))
