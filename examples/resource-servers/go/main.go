// An API that takes Tollgate's JWT access tokens (RFC 9068). Go 1.24 or later, and its standard library alone.
package main

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log"
	"math/big"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

var (
	issuer     = os.Getenv("TOLLGATE_ISSUER")
	identifier = os.Getenv("API_IDENTIFIER")
	errKeys    = errors.New("the keys cannot be fetched")
	errToken   = errors.New("not a token for this API")
)

// Fetched once and kept; again only when a token names a key that is not among them, and at most once a minute.
var keys struct {
	sync.Mutex
	byID      map[string]*rsa.PublicKey
	fetchedAt time.Time
}

func keyOf(kid string) (*rsa.PublicKey, error) {
	keys.Lock()
	defer keys.Unlock()
	if key := keys.byID[kid]; key != nil {
		return key, nil
	}
	if time.Since(keys.fetchedAt) < time.Minute {
		return nil, errToken
	}
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(issuer + "/oauth/jwks")
	if err != nil {
		return nil, errKeys
	}
	defer response.Body.Close()
	var set struct {
		Keys []struct{ Kid, Kty, N, E string }
	}
	if response.StatusCode != http.StatusOK || json.NewDecoder(response.Body).Decode(&set) != nil {
		return nil, errKeys
	}
	keys.byID, keys.fetchedAt = map[string]*rsa.PublicKey{}, time.Now()
	for _, key := range set.Keys {
		n, errN := base64.RawURLEncoding.DecodeString(key.N)
		e, errE := base64.RawURLEncoding.DecodeString(key.E)
		if key.Kty == "RSA" && errN == nil && errE == nil {
			exponent := int(new(big.Int).SetBytes(e).Int64())
			keys.byID[key.Kid] = &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: exponent}
		}
	}
	if key := keys.byID[kid]; key != nil {
		return key, nil
	}
	return nil, errToken
}

type claims struct {
	Iss, Aud, Sub, Scope string
	ClientID             string `json:"client_id"`
	Exp                  int64
}

// Who calls and what they may do. The claims are read only after the signature is known to be right.
func readToken(header string) (*claims, error) {
	scheme, token, _ := strings.Cut(header, " ")
	parts := strings.Split(token, ".")
	if !strings.EqualFold(scheme, "bearer") || len(parts) != 3 {
		return nil, errToken
	}
	var head struct{ Alg, Typ, Kid string }
	if decode(parts[0], &head) != nil || head.Alg != "RS256" || !strings.EqualFold(head.Typ, "at+jwt") {
		return nil, errToken
	}
	key, err := keyOf(head.Kid)
	if err != nil {
		return nil, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err != nil || rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature) != nil {
		return nil, errToken
	}
	var found claims
	if decode(parts[1], &found) != nil || found.Iss != issuer || found.Aud != identifier ||
		found.Exp <= time.Now().Unix() || found.Sub == "" || found.ClientID == "" {
		return nil, errToken
	}
	return &found, nil
}

func decode(part string, into any) error {
	bytes, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(bytes, into)
}

func answer(w http.ResponseWriter, status int, body map[string]any, challenge string) {
	if challenge != "" {
		w.Header().Set("WWW-Authenticate", challenge)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func orders(w http.ResponseWriter, r *http.Request) {
	caller, err := readToken(r.Header.Get("Authorization"))
	switch {
	case errors.Is(err, errKeys):
		answer(w, http.StatusServiceUnavailable, map[string]any{"error": "temporarily_unavailable"}, "")
	case err != nil:
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_token"}, `Bearer error="invalid_token"`)
	case !slices.Contains(strings.Split(caller.Scope, " "), "orders:read"):
		challenge := `Bearer error="insufficient_scope", scope="orders:read"`
		answer(w, http.StatusForbidden, map[string]any{"error": "insufficient_scope"}, challenge)
	default:
		answer(w, http.StatusOK, map[string]any{"orders": []any{}, "of": caller.Sub, "through": caller.ClientID}, "")
	}
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "4010"
	}
	http.HandleFunc("GET /", orders)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
