// One sign-in with go-oidc and oauth2: prints where the browser goes, reads where it came back, prints the address.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net/url"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  os.Getenv("CALLBACK"),
		Scopes:       []string{oidc.ScopeOpenID, "email", "profile"},
	}
	var sent, answered []oauth2.AuthCodeOption
	for _, extra := range os.Args[1:] {
		switch extra {
		case "nonce":
			sent = append(sent, oidc.Nonce("a-nonce-of-this-attempt"))
		case "pkce":
			verifier := oauth2.GenerateVerifier()
			sent = append(sent, oauth2.S256ChallengeOption(verifier))
			answered = append(answered, oauth2.VerifierOption(verifier))
		}
	}
	fmt.Println(config.AuthCodeURL("a-state-of-this-attempt", sent...))
	line, _, _ := bufio.NewReader(os.Stdin).ReadLine()
	callback, err := url.Parse(string(line))
	if err != nil {
		log.Fatal(err)
	}
	tokens, err := config.Exchange(ctx, callback.Query().Get("code"), answered...)
	if err != nil {
		log.Fatal(err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
	if err != nil {
		log.Fatal(err)
	}
	var claims struct{ Email string }
	if err := idToken.Claims(&claims); err != nil {
		log.Fatal(err)
	}
	fmt.Println(claims.Email)
}
