# One sign-in with mozilla-django-oidc as docs/clients.md has it: prints where the browser goes, reads where it came back,
# prints the address.
import sys
from urllib.parse import urlsplit

from django.urls import include, path

from django_site import account, start

browser = start(__name__)
urlpatterns = [path("oidc/", include("mozilla_django_oidc.urls")), path("account", account)]
print(browser.get("/oidc/authenticate/", secure=True)["Location"], flush=True)
callback = urlsplit(sys.stdin.readline().strip())
browser.get(f"{callback.path}?{callback.query}", secure=True)
print(browser.get("/account", secure=True).text, flush=True)
