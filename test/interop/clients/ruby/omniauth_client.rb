# One sign-in with omniauth_openid_connect as docs/clients.md has it: prints where the browser goes, reads where it came
# back, prints the address.
require "json"
require "rack"
require "rack/session/cookie"
require "omniauth_openid_connect"

# With OpenID Connect's own discovery over plain http, as the service of the tests speaks it.
SWD.url_builder = URI::HTTP
# The token of the form that leads here is the framework's.
OmniAuth.config.request_validation_phase = ->(_env) {}
OmniAuth.config.logger = Logger.new($stderr)

site = Rack::Builder.new do
  use Rack::Session::Cookie, secret: "a secret of the application, of at least sixty-four characters, as Rack 3 wants"
  eval(ENV.fetch("LINES"))
  run ->(env) { [200, {}, [env["omniauth.auth"] ? env["omniauth.auth"].info.email : "nobody"]] }
end
browser = Rack::MockRequest.new(site.to_app)

start = browser.post("https://shop.example/auth/tollgate")
$stdout.puts(start["Location"])
$stdout.flush
cookie = start["Set-Cookie"].to_s.split(";").first
puts browser.get($stdin.gets.strip, "HTTP_COOKIE" => cookie).body
