# A new Django project in memory, with the settings that docs/clients.md adds to it, and one page that tells the address.
import os

import django
from django.conf import settings
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client


def start(urlconf):
    project = {
        "INSTALLED_APPS": [
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
        ],
        "MIDDLEWARE": [
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        "AUTHENTICATION_BACKENDS": ["django.contrib.auth.backends.ModelBackend"],
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
            }
        ],
    }
    exec(os.environ["LINES"], project)
    settings.configure(
        SECRET_KEY="a secret of the application, at least 32 characters",
        ALLOWED_HOSTS=["shop.example"],
        ROOT_URLCONF=urlconf,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        **{name: value for name, value in project.items() if name.isupper()},
    )
    django.setup()
    call_command("migrate", verbosity=0)
    return Client(headers={"host": "shop.example"})


def account(request):
    return HttpResponse(request.user.email if request.user.is_authenticated else "nobody")
