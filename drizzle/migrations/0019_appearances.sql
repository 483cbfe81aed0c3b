CREATE TABLE "appearances" (
	"application_id" text PRIMARY KEY NOT NULL,
	"accent" text,
	"background" text NOT NULL,
	"corners" text NOT NULL,
	"dark_logo" "bytea",
	"terms_url" text,
	"privacy_url" text,
	"support_url" text,
	"sender_name" text,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "appearances_accent" CHECK ("appearances"."accent" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "appearances_background" CHECK ("appearances"."background" in ('plain', 'bright', 'tint', 'gradient')),
	CONSTRAINT "appearances_corners" CHECK ("appearances"."corners" in ('square', 'soft', 'round')),
	CONSTRAINT "appearances_dark_logo_size" CHECK (octet_length("appearances"."dark_logo") <= 1048576),
	CONSTRAINT "appearances_terms" CHECK ("appearances"."terms_url" ~ '^https://[^[:space:]]+$' and char_length("appearances"."terms_url") <= 500),
	CONSTRAINT "appearances_privacy" CHECK ("appearances"."privacy_url" ~ '^https://[^[:space:]]+$' and char_length("appearances"."privacy_url") <= 500),
	CONSTRAINT "appearances_support" CHECK ("appearances"."support_url" ~ '^(https://|mailto:)[^[:space:]]+$' and char_length("appearances"."support_url") <= 500),
	CONSTRAINT "appearances_sender_name" CHECK (char_length("appearances"."sender_name") between 1 and 60 and "appearances"."sender_name" !~ '[[:cntrl:]<>@"]')
);
--> statement-breakpoint
ALTER TABLE "appearances" ADD CONSTRAINT "appearances_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;