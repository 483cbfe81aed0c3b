<?php
// PHP 8.1 or later: composer require jumbojett/openid-connect-php
// Serve this file at the path of your callback address; opening it signs the visitor in.
require __DIR__ . '/vendor/autoload.php';

use Jumbojett\OpenIDConnectClient;

session_set_cookie_params(['httponly' => true, 'secure' => true, 'samesite' => 'Lax']);
session_start();

if (!isset($_SESSION['customer'])) {
    $tollgate = new OpenIDConnectClient(
        getenv('TOLLGATE_ISSUER'),
        getenv('TOLLGATE_CLIENT_ID'),
        getenv('TOLLGATE_CLIENT_SECRET'),
    );
    $tollgate->setRedirectURL(getenv('TOLLGATE_CALLBACK'));
    $tollgate->addScope(['email', 'profile']);
    // State and nonce are sent and checked by the library itself; PKCE has to be asked for.
    $tollgate->setCodeChallengeMethod('S256');

    // The first time this leaves for the sign-in page; with the code it goes on.
    $tollgate->authenticate();

    // Know your customer by `sub`: the e-mail address may change.
    $claims = $tollgate->getVerifiedClaims();
    session_regenerate_id(true);
    $_SESSION['customer'] = ['sub' => $claims->sub, 'email' => $claims->email];
}

echo 'Signed in as ' . htmlspecialchars($_SESSION['customer']['email']);
