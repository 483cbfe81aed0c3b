# One sign-in with Authlib and Flask: prints where the browser goes, reads where it came back, prints the address.
import json
import os
import sys
from urllib.parse import urlsplit

from authlib.integrations.flask_client import OAuth
from flask import Flask

app = Flask(__name__)
app.secret_key = "a secret of the application, at least 32 characters"
oauth = OAuth(app)
oauth.register(
    name="tollgate",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid email profile", **json.loads(os.environ["EXTRA"])},
)


@app.get("/sign-in")
def sign_in():
    return oauth.tollgate.authorize_redirect(os.environ["CALLBACK"])


@app.get("/callback")
def callback():
    return oauth.tollgate.authorize_access_token()["userinfo"]["email"]


browser = app.test_client()
print(browser.get("/sign-in").headers["Location"], flush=True)
callback = urlsplit(sys.stdin.readline().strip())
print(browser.get(f"{callback.path}?{callback.query}").text, flush=True)
