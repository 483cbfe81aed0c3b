"""Verifies a webhook of Tollgate: Python 3.9 or later, nothing to install.

    event = verify_webhook(request.headers, request.get_data(), os.environ["WEBHOOK_SECRET"])

Answer 400 to a WebhookVerificationError, and 2xx only after the event is stored; its "id" is the same on every attempt.
"""

import hashlib
import hmac
import json
import time
from typing import Any, Iterable, Mapping, Optional, TypedDict, Union

TOLERANCE_SECONDS = 300


class Customer(TypedDict):
    sub: str
    email: str
    email_verified: bool
    name: Optional[str]


class _Always(TypedDict):
    application_id: str
    customer: Customer
    kind: str
    amount: str
    currency: str
    status: str


class Data(_Always, total=False):
    test: bool


class WebhookEvent(TypedDict):
    id: str
    type: str
    created_at: str
    livemode: bool
    data: Data


class WebhookVerificationError(Exception):
    """Whatever was received: it is not from Tollgate, not from now, or not what was sent."""


def verify_webhook(
    headers: Mapping[str, Any], body: bytes, secrets: Union[str, Iterable[str]]
) -> WebhookEvent:
    """`body`: the bytes as they came. `secrets`: `whsec_` included; several while the secret is being changed."""
    sent = {name.lower(): value for name, value in headers.items()}
    timestamp = sent.get("x-service-webhook-timestamp", "")
    signature = sent.get("x-service-webhook-signature", "")
    if not timestamp or not signature:
        raise WebhookVerificationError("a signature header is missing")
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12):
        raise WebhookVerificationError("the timestamp is no number of seconds")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("the timestamp is too far from this machine's clock")
    # While the secret changes, a second header is made with the new one.
    signatures = [signature, sent.get("x-service-webhook-signature-next", "")]
    keys = [key for key in ([secrets] if isinstance(secrets, str) else secrets) if key]
    if not keys:
        raise WebhookVerificationError("there is no signing secret to verify with")
    if not any(_is_signed(key, timestamp, body, given) for key in keys for given in signatures):
        raise WebhookVerificationError("the signature does not fit: another secret, or a changed body")
    return json.loads(body)


def _is_signed(secret: str, timestamp: str, body: bytes, given: str) -> bool:
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given.encode(), f"v1={digest}".encode())
