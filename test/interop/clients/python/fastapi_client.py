# One sign-in with Authlib and FastAPI as docs/clients.md has it: prints where the browser goes, reads where it came back,
# prints the address.
import os
import sys
from urllib.parse import urlsplit

from starlette.testclient import TestClient

os.environ["SESSION_SECRET"] = "a secret of the application, at least 32 characters"
program = {}
exec(os.environ["LINES"], program)

browser = TestClient(program["app"], base_url="https://shop.example", follow_redirects=False)
print(browser.get("/sign-in").headers["Location"], flush=True)
callback = urlsplit(sys.stdin.readline().strip())
print(browser.get(f"{callback.path}?{callback.query}").json()["email"], flush=True)
