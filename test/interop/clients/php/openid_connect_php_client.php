<?php
// One sign-in with OpenID-Connect-PHP as docs/clients.md has it: prints where the browser goes, reads where it came back,
// prints the address.
namespace Shop;

require getenv('PHP_VENDOR') . '/autoload.php';

final class Redirected extends \Exception
{
}

/** The library ends the program when it redirects. */
class OpenIDConnectClient extends \Jumbojett\OpenIDConnectClient
{
    public function redirect(string $url)
    {
        throw new Redirected($url);
    }
}

$documented = 'namespace Shop; ' . preg_replace('/^use .*$/m', '', getenv('LINES'));
try {
    eval($documented);
} catch (Redirected $redirected) {
    fwrite(STDOUT, $redirected->getMessage() . "\n");
}
parse_str((string) parse_url(trim(fgets(STDIN)), PHP_URL_QUERY), $_REQUEST);
eval($documented);
fwrite(STDOUT, $email . "\n");
