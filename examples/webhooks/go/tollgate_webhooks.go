// Package tollgatewebhooks verifies webhooks of Tollgate. It needs nothing but the standard library: copy this file.
//
//	event, err := tollgatewebhooks.Verify(request.Header, body, os.Getenv("WEBHOOK_SECRET"))
//
// Answer 400 to an error, and 2xx only after the event is stored; its ID is the same on every attempt.
package tollgatewebhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

const tolerance = 300 * time.Second

// The reasons why something is not a webhook of Tollgate.
var (
	ErrNoSecret   = errors.New("there is no signing secret to verify with")
	ErrMissing    = errors.New("a signature header is missing")
	ErrTimestamp  = errors.New("the timestamp is no number of seconds")
	ErrOutOfRange = errors.New("the timestamp is too far from this machine's clock")
	ErrSignature  = errors.New("the signature does not fit: another secret, or a changed body")
	ErrBody       = errors.New("the body is no event")
)

// Event is what arrives. Livemode is false for an application in test mode. Fields may be added.
type Event struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	CreatedAt time.Time `json:"created_at"`
	Livemode  bool      `json:"livemode"`
	Data      Data      `json:"data"`
}

// Data says whose session it was and what it cost. Amount is a decimal in Currency; Test is true in a test event only.
type Data struct {
	ApplicationID string   `json:"application_id"`
	Test          bool     `json:"test,omitempty"`
	Customer      Customer `json:"customer"`
	Kind          string   `json:"kind"`
	Amount        string   `json:"amount"`
	Currency      string   `json:"currency"`
	Status        string   `json:"status"`
}

// Customer is known by Sub; Email may change, and Name may be missing.
type Customer struct {
	Sub           string  `json:"sub"`
	Email         string  `json:"email"`
	EmailVerified bool    `json:"email_verified"`
	Name          *string `json:"name"`
}

// Header is an http.Header, or whatever else finds a header by its name.
type Header interface{ Get(name string) string }

// Verify takes the body as it came, and the signing secret with its prefix; several while the secret is being changed.
func Verify(header Header, body []byte, secrets ...string) (*Event, error) {
	timestamp := header.Get("x-service-webhook-timestamp")
	signature := header.Get("x-service-webhook-signature")
	if timestamp == "" || signature == "" {
		return nil, ErrMissing
	}
	sent, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, ErrTimestamp
	}
	if time.Since(time.Unix(int64(sent), 0)).Abs() > tolerance {
		return nil, ErrOutOfRange
	}
	// While the secret changes, a second header is made with the new one.
	given := []string{signature, header.Get("x-service-webhook-signature-next")}
	isKeyed, isSigned := false, false
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		isKeyed = true
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamp + "."))
		mac.Write(body)
		expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
		for _, value := range given {
			isSigned = hmac.Equal([]byte(value), expected) || isSigned
		}
	}
	if !isKeyed {
		return nil, ErrNoSecret
	}
	if !isSigned {
		return nil, ErrSignature
	}
	var event Event
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, errors.Join(ErrBody, err)
	}
	return &event, nil
}
