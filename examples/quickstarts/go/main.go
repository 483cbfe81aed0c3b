// Go 1.24 or later: go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2
// Beside it, one file without dependencies:
// curl --create-dirs -o tollgatewebhooks/tollgate_webhooks.go https://id.example.com/docs/files/tollgate_webhooks.go
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"shop/tollgatewebhooks"
)

// In memory here: keep all three where your other processes see them, and let sessions end.
var sessions, events sync.Map

// What one attempt needs, and then who signed in. It stays on the server, by the random value of a cookie.
type session struct {
	state, nonce, verifier, sub, email, idToken string
	tokens                                      oauth2.TokenSource
}

func main() {
	ctx := context.Background()
	clientID := os.Getenv("TOLLGATE_CLIENT_ID")
	provider, err := oidc.NewProvider(ctx, os.Getenv("TOLLGATE_ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	callback, err := url.Parse(os.Getenv("TOLLGATE_CALLBACK"))
	if err != nil {
		log.Fatal(err)
	}
	endpoint := provider.Endpoint()
	// Otherwise a refused exchange is tried a second way, and the answer is about a code that is used by then.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: os.Getenv("TOLLGATE_CLIENT_SECRET"),
		Endpoint:     endpoint,
		RedirectURL:  callback.String(),
		// offline_access: a refresh token, for as long as the person stays signed in.
		Scopes: []string{oidc.ScopeOpenID, "email", "profile", oidc.ScopeOfflineAccess},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: clientID})

	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if found := sessionOf(r); found.sub != "" {
			show(w, 200, "Shop", "<p>Signed in as "+html.EscapeString(found.email)+`</p><p><a href="/account">Account</a></p>`)
			return
		}
		show(w, 200, "Shop", `<p><a href="/sign-in">Sign in</a></p>`)
	})

	http.HandleFunc("GET /sign-in", func(w http.ResponseWriter, r *http.Request) {
		// New for each attempt, and kept on the server.
		made := session{state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier()}
		open(w, made)
		http.Redirect(w, r, config.AuthCodeURL(made.state, oidc.Nonce(made.nonce),
			oauth2.S256ChallengeOption(made.verifier)), http.StatusSeeOther)
	})

	http.HandleFunc("GET "+callback.Path, func(w http.ResponseWriter, r *http.Request) {
		made := sessionOf(r)
		end(w, r)
		if made.state == "" || r.FormValue("state") != made.state {
			show(w, 400, "This sign-in is over", startAgain)
			return
		}
		if code := r.FormValue("error"); code != "" {
			explain(w, code, r.FormValue("error_description"))
			return
		}
		tokens, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(made.verifier))
		if refused := (*oauth2.RetrieveError)(nil); errors.As(err, &refused) {
			explain(w, refused.ErrorCode, refused.ErrorDescription+" "+refused.Response.Header.Get("x-tollgate-trace"))
			return
		}
		if err != nil {
			explain(w, "", err.Error())
			return
		}
		raw, _ := tokens.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil || idToken.Nonce != made.nonce {
			explain(w, "", "the ID Token is not valid")
			return
		}
		var claims struct{ Email string }
		_ = idToken.Claims(&claims)
		// Know your customer by the subject: the e-mail address may change. The session is a new one: what was known
		// before the sign-in must not open what comes after it. The token source renews the access token by itself.
		open(w, session{sub: idToken.Subject, email: claims.Email, idToken: raw, tokens: config.TokenSource(ctx, tokens)})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})

	// A page for customers only. What it shows is read with the access token.
	http.HandleFunc("GET /account", func(w http.ResponseWriter, r *http.Request) {
		found := sessionOf(r)
		if found.sub == "" {
			http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
			return
		}
		profile, err := provider.UserInfo(r.Context(), found.tokens)
		if err != nil {
			explain(w, "", err.Error())
			return
		}
		var facts json.RawMessage
		_ = profile.Claims(&facts)
		show(w, 200, "Account", "<pre>"+html.EscapeString(string(facts))+"</pre>"+
			`<form method="post" action="/log-out"><button>Log out</button></form>`)
	})

	http.HandleFunc("POST /log-out", func(w http.ResponseWriter, r *http.Request) {
		found := sessionOf(r)
		end(w, r)
		var endpoints struct {
			EndSession string `json:"end_session_endpoint"`
		}
		if err := provider.Claims(&endpoints); err != nil || found.idToken == "" {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		// Ends the session at Tollgate too: otherwise the next "Sign in" walks straight back in.
		home := callback.ResolveReference(&url.URL{Path: "/"}).String()
		query := url.Values{"id_token_hint": {found.idToken}, "post_logout_redirect_uri": {home}}
		http.Redirect(w, r, endpoints.EndSession+"?"+query.Encode(), http.StatusSeeOther)
	})

	// The raw body is what was signed; answer 2xx only after the event is stored, and take each id once.
	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		event, err := tollgatewebhooks.Verify(r.Header, body, os.Getenv("TOLLGATE_WEBHOOK_SECRET"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		events.LoadOrStore(event.ID, event)
		w.WriteHeader(http.StatusNoContent)
	})

	// It hears plain http behind whatever ends TLS for you: a proxy, or `npx tollgate local-https 4443 --to 3001`.
	port := os.Getenv("PORT")
	if port == "" {
		port = "3001"
	}
	log.Fatal(http.ListenAndServe("localhost:"+port, nil))
}

const startAgain = `<p><a href="/sign-in">Start again</a></p>`
const cookieName = "__Host-session"

func sessionOf(r *http.Request) session {
	if cookie, err := r.Cookie(cookieName); err == nil {
		if kept, isKept := sessions.Load(cookie.Value); isKept {
			return kept.(session)
		}
	}
	return session{}
}

func open(w http.ResponseWriter, content session) {
	id := rand.Text()
	sessions.Store(id, content)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: id, Path: "/", HttpOnly: true, Secure: true,
		SameSite: http.SameSiteLaxMode})
}

func end(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(cookieName); err == nil {
		sessions.Delete(cookie.Value)
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1, HttpOnly: true, Secure: true,
		SameSite: http.SameSiteLaxMode})
}

func show(w http.ResponseWriter, status int, title, content string) {
	w.Header().Set("content-type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<!doctype html><title>%s</title><h1>%s</h1>%s", title, title, content)
}

// The person reads what it means; the log has what Tollgate said, and the reference that Usage → Find a sign-in takes.
func explain(w http.ResponseWriter, code, description string) {
	log.Print("sign-in failed: ", code, " ", description)
	switch code {
	case "access_denied":
		show(w, 403, "You said no, and nothing was shared", startAgain)
	case "invalid_grant":
		show(w, 400, "That took too long, or was opened twice", startAgain)
	case "temporarily_unavailable":
		show(w, 503, "Signing in is paused, please come back later", startAgain)
	default:
		show(w, 502, "Signing in failed", startAgain)
	}
}
