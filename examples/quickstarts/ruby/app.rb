# Ruby 3.1 or later: gem install sinatra rackup puma openid_connect
require 'json'
require 'net/http'
require 'openid_connect'
require 'openssl'
require 'rack'
require 'securerandom'
require 'sinatra'

ISSUER = ENV.fetch('TOLLGATE_ISSUER')
CLIENT_ID = ENV.fetch('TOLLGATE_CLIENT_ID')
CALLBACK = URI(ENV.fetch('TOLLGATE_CALLBACK'))
HOME = URI.join(CALLBACK, '/').to_s
METADATA = JSON.parse(Net::HTTP.get(URI("#{ISSUER}/.well-known/openid-configuration")))

# It hears plain http behind whatever ends TLS for you: a proxy, or `npx tollgate local-https 4443 --to 3001`.
set :port, ENV.fetch('PORT', '3001')
# So this is the origin of its own forms, whatever the proxy says.
set :protection, permitted_origins: [HOME.chomp('/')]
set :show_exceptions, false
set :raise_errors, false

# In memory here: keep both where your other processes see them, and let sessions end.
SESSIONS = {}
EVENTS = {}
COOKIE = { path: '/', httponly: true, secure: true, same_site: :lax }.freeze
START_AGAIN = '<p><a href="/sign-in">Start again</a></p>'.freeze

def client
  OpenIDConnect::Client.new(
    identifier: CLIENT_ID,
    secret: ENV.fetch('TOLLGATE_CLIENT_SECRET'),
    redirect_uri: CALLBACK.to_s,
    authorization_endpoint: METADATA['authorization_endpoint'],
    token_endpoint: METADATA['token_endpoint'],
    userinfo_endpoint: METADATA['userinfo_endpoint']
  )
end

helpers do
  def here
    SESSIONS[request.cookies['__Host-session']] || {}
  end

  def open_session(content)
    id = SecureRandom.urlsafe_base64(32)
    SESSIONS[id] = content
    response.set_cookie('__Host-session', COOKIE.merge(value: id))
  end

  def page(title, content)
    "<!doctype html><title>#{title}</title><h1>#{title}</h1>#{content}"
  end

  def button(action, label)
    %(<form method="post" action="#{action}"><button>#{label}</button></form>)
  end

  def escape(text)
    Rack::Utils.escape_html(text)
  end
end

get '/' do
  customer = here[:customer]
  next page('Shop', '<p><a href="/sign-in">Sign in</a></p>') unless customer
  page('Shop', %(<p>Signed in as #{escape customer[:email]}</p><p><a href="/account">Account</a></p>))
end

get '/sign-in' do
  # New for each attempt, and kept on the server.
  attempt = { state: SecureRandom.urlsafe_base64(24), nonce: SecureRandom.urlsafe_base64(24),
              verifier: SecureRandom.urlsafe_base64(32) }
  open_session(attempt: attempt)
  redirect client.authorization_uri(
    # offline_access: a refresh token, for as long as the person stays signed in.
    scope: %i[openid email profile offline_access],
    state: attempt[:state],
    nonce: attempt[:nonce],
    code_challenge: Base64.urlsafe_encode64(OpenSSL::Digest::SHA256.digest(attempt[:verifier]), padding: false),
    code_challenge_method: 'S256'
  ), 303
end

get CALLBACK.path do
  attempt = here[:attempt]
  SESSIONS.delete(request.cookies['__Host-session'])
  halt 400, page('This sign-in is over', START_AGAIN) unless attempt && params['state'] == attempt[:state]
  halt explain(params['error'], params['error_description']) if params['error']
  oidc = client
  oidc.authorization_code = params['code']
  tokens = oidc.access_token!(code_verifier: attempt[:verifier])
  keys = JSON::JWK::Set.new(JSON.parse(Net::HTTP.get(URI(METADATA['jwks_uri']))))
  id_token = OpenIDConnect::ResponseObject::IdToken.decode(tokens.id_token, keys)
  id_token.verify!(issuer: ISSUER, client_id: CLIENT_ID, nonce: attempt[:nonce])
  # Know your customer by `sub`: the e-mail address may change. The session is a new one: what was known before the
  # sign-in must not open what comes after it.
  open_session(customer: { sub: id_token.sub, email: id_token.raw_attributes['email'] }, id_token: tokens.id_token,
               **kept(tokens))
  redirect '/', 303
end

# A page for customers only. What it shows is read with the access token, renewed when it is about to end.
get '/account' do
  redirect '/sign-in', 303 unless here[:customer]
  renew(here) if Time.now.to_i > here[:expires_at] - 30
  profile = OpenIDConnect::AccessToken.new(access_token: here[:access_token], client: client).userinfo!
  buttons = button('/renew', 'Renew the access token') + button('/log-out', 'Log out')
  page('Account', "<pre>#{escape profile.raw_attributes.to_json}</pre>#{buttons}")
end

post '/renew' do
  renew(here) if here[:customer]
  redirect '/account', 303
end

post '/log-out' do
  id_token = here[:id_token]
  SESSIONS.delete(request.cookies['__Host-session'])
  redirect '/', 303 unless id_token
  # Ends the session at Tollgate too: otherwise the next "Sign in" walks straight back in.
  query = URI.encode_www_form(id_token_hint: id_token, post_logout_redirect_uri: HOME)
  redirect "#{METADATA['end_session_endpoint']}?#{query}", 303
end

# The raw body is what was signed; answer 2xx only after the event is stored, and take each id once.
post '/webhooks' do
  body = request.body.read
  halt 400, 'no webhook of Tollgate' unless genuine?(body, ENV.fetch('TOLLGATE_WEBHOOK_SECRET', ''))
  event = JSON.parse(body)
  EVENTS[event['id']] ||= event
  204
end

error Rack::OAuth2::Client::Error do |refused|
  explain(refused.response[:error].to_s, refused.response[:error_description].to_s)
end

error do |failure|
  explain(failure.class.name, failure.message)
end

helpers do
  def kept(tokens)
    { access_token: tokens.access_token, refresh_token: tokens.refresh_token,
      expires_at: Time.now.to_i + tokens.expires_in }
  end

  # A refresh token works once. With several threads, hold a lock on the session while this runs.
  def renew(session)
    oidc = client
    oidc.refresh_token = session[:refresh_token]
    session.merge!(kept(oidc.access_token!))
  end

  def genuine?(body, secret)
    timestamp = request.env['HTTP_X_SERVICE_WEBHOOK_TIMESTAMP'].to_s
    return false if secret.empty? || !timestamp.match?(/\A\d{1,12}\z/)
    return false if (Time.now.to_i - timestamp.to_i).abs > 300

    expected = "v1=#{OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.#{body}")}"
    # While the secret changes, a second header is made with the new one.
    %w[SIGNATURE SIGNATURE_NEXT].any? do |name|
      Rack::Utils.secure_compare(request.env["HTTP_X_SERVICE_WEBHOOK_#{name}"].to_s, expected)
    end
  end

  # The person reads what it means; the log has what Tollgate said. Its reference (trc_…) is what Usage → Find a sign-in
  # takes.
  def explain(code, description)
    warn "sign-in failed: #{code} #{description}"
    status, title = {
      'access_denied' => [403, 'You said no, and nothing was shared'],
      'invalid_grant' => [400, 'That took too long, or was opened twice'],
      'temporarily_unavailable' => [503, 'Signing in is paused, please come back later']
    }.fetch(code, [502, 'Signing in failed'])
    [status, page(title, START_AGAIN)]
  end
end
