<?php
// PHP 8.1 or later: composer require jumbojett/openid-connect-php
// Beside it, one file without dependencies: curl -O https://id.example.com/docs/files/tollgate_webhooks.php
// Try it with `php -S localhost:3001 index.php` behind whatever ends TLS for you: a proxy, or
// `npx tollgate local-https 4443 --to 3001`.
require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/tollgate_webhooks.php';

use Jumbojett\OpenIDConnectClient;
use Jumbojett\OpenIDConnectClientException;

$callback = getenv('TOLLGATE_CALLBACK');
$home = preg_replace('#^(https://[^/]+/).*$#', '$1', $callback);

session_name('__Host-session');
session_set_cookie_params(['path' => '/', 'httponly' => true, 'secure' => true, 'samesite' => 'Lax']);
session_start();

function tollgate(): OpenIDConnectClient
{
    $client = new OpenIDConnectClient(
        getenv('TOLLGATE_ISSUER'),
        getenv('TOLLGATE_CLIENT_ID'),
        getenv('TOLLGATE_CLIENT_SECRET'),
    );
    $client->setRedirectURL(getenv('TOLLGATE_CALLBACK'));
    // offline_access: a refresh token, for as long as the person stays signed in. The library asks for openid by itself,
    // but leaves it out when it refreshes, and UserInfo wants it.
    $client->addScope(['openid', 'email', 'profile', 'offline_access']);
    // State and nonce are sent and checked by the library itself; PKCE has to be asked for.
    $client->setCodeChallengeMethod('S256');
    return $client;
}

function page(string $title, string $content, int $status = 200): void
{
    http_response_code($status);
    echo "<!doctype html><title>$title</title><h1>$title</h1>$content";
}

function button(string $action, string $label): string
{
    return "<form method=\"post\" action=\"$action\"><button>$label</button></form>";
}

function go(string $to): never
{
    header("Location: $to", true, 303);
    exit;
}

/** The ID Token stays as it was where a renewal brings none. */
function keep(object $tokens): void
{
    $_SESSION['tokens'] = array_merge($_SESSION['tokens'] ?? [], (array) $tokens, ['ends' => time() + $tokens->expires_in]);
}

/** A refresh token works once; PHP's own session lock makes whoever comes meanwhile wait. */
function renew(): void
{
    keep(tollgate()->refreshToken($_SESSION['tokens']['refresh_token']));
}

/** The person reads what it means; the log has what Tollgate said. Its reference (trc_…) is what Find a sign-in takes. */
function explain(string $code, string $description): void
{
    error_log("sign-in failed: $code $description");
    [$status, $title] = match ($code) {
        'access_denied' => [403, 'You said no, and nothing was shared'],
        'invalid_grant' => [400, 'That took too long, or was opened twice'],
        'temporarily_unavailable' => [503, 'Signing in is paused, please come back later'],
        default => [502, 'Signing in failed'],
    };
    page($title, '<p><a href="/sign-in">Start again</a></p>', $status);
}

function show_home(): void
{
    $customer = $_SESSION['customer'] ?? null;
    if (!$customer) {
        page('Shop', '<p><a href="/sign-in">Sign in</a></p>');
        return;
    }
    $email = htmlspecialchars($customer['email']);
    page('Shop', "<p>Signed in as $email</p><p><a href=\"/account\">Account</a></p>");
}

/** The first time this leaves for the sign-in page; with the code, on the callback, it goes on. */
function sign_in(): void
{
    $client = tollgate();
    if (isset($_GET['error'])) {
        explain($_GET['error'], $_GET['error_description'] ?? '');
        return;
    }
    try {
        $client->authenticate();
    } catch (OpenIDConnectClientException $error) {
        // The message is the description alone.
        explain($client->getTokenResponse()->error ?? '', $error->getMessage());
        return;
    }
    session_regenerate_id(true);
    // Know your customer by `sub`: the e-mail address may change.
    $claims = $client->getVerifiedClaims();
    $_SESSION['customer'] = ['sub' => $claims->sub, 'email' => $claims->email];
    keep($client->getTokenResponse());
    go('/');
}

/** A page for customers only. What it shows is read with the access token, renewed when it is about to end. */
function account(): void
{
    if (!isset($_SESSION['customer'])) {
        go('/sign-in');
    }
    if (time() > $_SESSION['tokens']['ends'] - 30) {
        renew();
    }
    $client = tollgate();
    $client->setAccessToken($_SESSION['tokens']['access_token']);
    $facts = htmlspecialchars(json_encode($client->requestUserInfo(), JSON_PRETTY_PRINT));
    page('Account', "<pre>$facts</pre>" . button('/renew', 'Renew the access token') . button('/log-out', 'Log out'));
}

/** Ends the session at Tollgate too: otherwise the next "Sign in" walks straight back in. */
function log_out(string $home): void
{
    $idToken = $_SESSION['tokens']['id_token'] ?? null;
    session_destroy();
    if (!$idToken) {
        go('/');
    }
    tollgate()->signOut($idToken, $home);
}

/** The raw body is what was signed; answer 2xx only after the event is stored, and take each id once. */
function receive_webhook(): void
{
    $secret = getenv('TOLLGATE_WEBHOOK_SECRET') ?: '';
    try {
        $event = Tollgate\verifyWebhook(getallheaders(), file_get_contents('php://input'), $secret);
    } catch (Tollgate\WebhookVerificationError $error) {
        http_response_code(400);
        echo $error->getMessage();
        return;
    }
    // In your own: insert into events (id, …) … on conflict do nothing.
    error_log("webhook {$event['id']}");
    http_response_code(204);
}

try {
    match ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
        'GET /' => show_home(),
        'GET /sign-in', 'GET ' . parse_url($callback, PHP_URL_PATH) => sign_in(),
        'GET /account' => account(),
        'POST /renew' => isset($_SESSION['customer']) ? [renew(), go('/account')] : go('/sign-in'),
        'POST /log-out' => log_out($home),
        'POST /webhooks' => receive_webhook(),
        default => page('Not here', '<p><a href="/">Home</a></p>', 404),
    };
} catch (OpenIDConnectClientException $error) {
    explain('', $error->getMessage());
}
