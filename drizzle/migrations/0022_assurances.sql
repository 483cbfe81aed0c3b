CREATE TABLE "assurances" (
	"application_id" text PRIMARY KEY NOT NULL,
	"signing_algorithm" text NOT NULL,
	"requires_pushed_requests" boolean NOT NULL,
	"client_authentication" text NOT NULL,
	"key_set" jsonb,
	"key_set_uri" text,
	"requires_dpop" boolean NOT NULL,
	"requires_signed_requests" boolean NOT NULL,
	"is_fapi2" boolean NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "assurances_signing_algorithm" CHECK ("assurances"."signing_algorithm" in ('RS256', 'ES256', 'EdDSA')),
	CONSTRAINT "assurances_client_authentication" CHECK ("assurances"."client_authentication" in ('secret', 'private_key_jwt')),
	CONSTRAINT "assurances_one_source_of_keys" CHECK ("assurances"."key_set" is null or "assurances"."key_set_uri" is null),
	CONSTRAINT "assurances_key_set_size" CHECK (octet_length("assurances"."key_set"::text) <= 16384),
	CONSTRAINT "assurances_key_set_uri" CHECK ("assurances"."key_set_uri" ~ '^https://[^[:space:]]+$' and char_length("assurances"."key_set_uri") <= 2048),
	CONSTRAINT "assurances_signatures_need_keys" CHECK (coalesce("assurances"."key_set"::text, "assurances"."key_set_uri") is not null
        or ("assurances"."client_authentication" = 'secret' and not "assurances"."requires_signed_requests")),
	CONSTRAINT "assurances_fapi2_is_whole" CHECK (not "assurances"."is_fapi2" or ("assurances"."requires_pushed_requests" and "assurances"."requires_dpop"
        and "assurances"."client_authentication" = 'private_key_jwt' and "assurances"."signing_algorithm" <> 'RS256'))
);
--> statement-breakpoint
ALTER TABLE "assurances" ADD CONSTRAINT "assurances_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;