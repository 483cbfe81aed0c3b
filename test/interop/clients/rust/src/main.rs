//! One sign-in with the openidconnect crate: prints where the browser goes, reads where it came back, prints the address.
use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreProviderMetadata};
use openidconnect::{
    reqwest, url::Url, AuthorizationCode, ClientId, ClientSecret, CsrfToken, IssuerUrl, Nonce,
    PkceCodeChallenge, RedirectUrl, Scope, TokenResponse,
};
use std::{env, error::Error, io};

fn main() -> Result<(), Box<dyn Error>> {
    let has_pkce = env::args().any(|word| word == "pkce");
    let http = reqwest::blocking::ClientBuilder::new()
        .redirect(reqwest::redirect::Policy::none())
        .build()?;
    let metadata = CoreProviderMetadata::discover(&IssuerUrl::new(env::var("ISSUER")?)?, &http)?;
    let client = CoreClient::from_provider_metadata(
        metadata,
        ClientId::new(env::var("CLIENT_ID")?),
        Some(ClientSecret::new(env::var("CLIENT_SECRET")?)),
    )
    .set_redirect_uri(RedirectUrl::new(env::var("CALLBACK")?)?);

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let mut request = client
        .authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            CsrfToken::new_random,
            Nonce::new_random,
        )
        .add_scope(Scope::new("email".to_string()))
        .add_scope(Scope::new("profile".to_string()));
    if has_pkce {
        request = request.set_pkce_challenge(challenge);
    }
    let (address, state, nonce) = request.url();
    println!("{address}");

    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    let callback = Url::parse(line.trim())?;
    let parameter = |name: &str| {
        callback
            .query_pairs()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
            .ok_or(format!("the callback has no {name}"))
    };
    if parameter("state")? != *state.secret() {
        return Err("the state is another one".into());
    }
    let mut exchange = client.exchange_code(AuthorizationCode::new(parameter("code")?))?;
    if has_pkce {
        exchange = exchange.set_pkce_verifier(verifier);
    }
    let tokens = exchange.request(&http)?;
    let id_token = tokens.id_token().ok_or("there is no ID Token")?;
    let claims = id_token.claims(&client.id_token_verifier(), &nonce)?;
    println!("{}", claims.email().ok_or("there is no address")?.as_str());
    Ok(())
}
