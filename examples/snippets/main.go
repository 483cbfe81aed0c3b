// Go 1.24 or later: go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2
package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// What one attempt needs stays on the server, by the random value of this browser's cookie. In memory here: keep it
// where your other processes see it, and let it end.
type attempt struct{ state, nonce, verifier string }

var attempts sync.Map

const cookieName = "__Host-attempt"

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
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: os.Getenv("TOLLGATE_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  callback.String(),
		Scopes:       []string{oidc.ScopeOpenID, "email", "profile"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: clientID})

	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		made := attempt{random(), random(), oauth2.GenerateVerifier()}
		id := random()
		attempts.Store(id, made)
		http.SetCookie(w, &http.Cookie{Name: cookieName, Value: id, Path: "/", MaxAge: 1800,
			HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode})
		http.Redirect(w, r, config.AuthCodeURL(made.state, oidc.Nonce(made.nonce),
			oauth2.S256ChallengeOption(made.verifier)), http.StatusSeeOther)
	})

	http.HandleFunc(callback.Path, func(w http.ResponseWriter, r *http.Request) {
		var made attempt
		if cookie, err := r.Cookie(cookieName); err == nil {
			if kept, isKept := attempts.LoadAndDelete(cookie.Value); isKept {
				made = kept.(attempt)
			}
		}
		if made.state == "" || r.FormValue("state") != made.state {
			http.Error(w, "This sign-in was not started here.", http.StatusBadRequest)
			return
		}
		tokens, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(made.verifier))
		if err != nil {
			http.Error(w, "The sign-in failed. Please start again.", http.StatusBadRequest)
			return
		}
		raw, _ := tokens.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil || idToken.Nonce != made.nonce {
			http.Error(w, "The ID Token is not valid.", http.StatusBadRequest)
			return
		}
		var claims struct{ Email, Name string }
		_ = idToken.Claims(&claims)
		// Know your customer by the subject: the e-mail address may change. Here your own session begins.
		log.Printf("customer %s", idToken.Subject)
		_, _ = w.Write([]byte("Signed in as " + claims.Email))
	})

	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}

func random() string {
	bytes := make([]byte, 24)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}
