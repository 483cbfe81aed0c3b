<?php
// Verifies a webhook of Tollgate: PHP 8.1 or later, nothing to install.
//
//     $event = Tollgate\verifyWebhook(getallheaders(), file_get_contents('php://input'), getenv('WEBHOOK_SECRET'));
//
// Answer 400 to a WebhookVerificationError, and 2xx only after the event is stored; its id is the same on every attempt.

declare(strict_types=1);

namespace Tollgate;

const WEBHOOK_TOLERANCE_SECONDS = 300;

final class WebhookVerificationError extends \RuntimeException
{
}

/**
 * @param array<string, string> $headers
 * @param string $body the bytes as they came
 * @param string|list<string> $secrets `whsec_` included; several while the secret is being changed
 * @return array{id: string, type: string, created_at: string, livemode: bool, data: array{
 *     application_id: string, test?: true, kind: string, amount: string, currency: string, status: string,
 *     customer: array{sub: string, email: string, email_verified: bool, name: ?string}}}
 */
function verifyWebhook(array $headers, string $body, string|array $secrets): array
{
    $sent = array_change_key_case($headers, CASE_LOWER);
    $timestamp = $sent['x-service-webhook-timestamp'] ?? '';
    $signature = $sent['x-service-webhook-signature'] ?? '';
    if ($timestamp === '' || $signature === '') {
        throw new WebhookVerificationError('a signature header is missing');
    }
    if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
        throw new WebhookVerificationError('the timestamp is no number of seconds');
    }
    if (abs(time() - (int) $timestamp) > WEBHOOK_TOLERANCE_SECONDS) {
        throw new WebhookVerificationError("the timestamp is too far from this machine's clock");
    }
    // While the secret changes, a second header is made with the new one.
    $signatures = [$signature, $sent['x-service-webhook-signature-next'] ?? ''];
    $isSigned = false;
    foreach (array_filter((array) $secrets, fn (string $secret) => $secret !== '') as $secret) {
        $expected = 'v1=' . hash_hmac('sha256', "$timestamp.$body", $secret);
        foreach ($signatures as $given) {
            $isSigned = hash_equals($expected, $given) || $isSigned;
        }
    }
    if (!$isSigned) {
        throw new WebhookVerificationError('the signature does not fit: another secret, none, or a changed body');
    }
    return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
}
