CREATE TABLE "proof_uses" (
	"proof_id" text NOT NULL,
	"use" text NOT NULL,
	"session_hash" text,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "proof_uses_proof_id_use_pk" PRIMARY KEY("proof_id","use"),
	CONSTRAINT "proof_uses_use" CHECK ("proof_uses"."use" in ('create_account', 'sign_in', 'recover')),
	CONSTRAINT "proof_uses_sign_in_names_a_session" CHECK (("proof_uses"."use" = 'sign_in') = ("proof_uses"."session_hash" is not null))
);
--> statement-breakpoint
CREATE TABLE "proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"interaction_hash" text NOT NULL,
	"browser_hash" text NOT NULL,
	"purpose" text NOT NULL,
	"method" text NOT NULL,
	"account_id" text,
	"is_new_account" boolean NOT NULL,
	"generation" integer NOT NULL,
	"mailbox" text,
	"is_mailbox_verified" boolean NOT NULL,
	"provider" text,
	"subject" text,
	"name" text,
	"passkey_id" text,
	"proven_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "proofs_purpose" CHECK ("proofs"."purpose" in ('sign_in', 'registration', 'recovery', 'link', 'address_change', 'address_return', 'import')),
	CONSTRAINT "proofs_say_what_their_method_proves" CHECK (case "proofs"."method"
        when 'code' then "proofs"."mailbox" is not null and "proofs"."is_mailbox_verified" and "proofs"."account_id" is not null
        when 'mail_link' then "proofs"."mailbox" is not null and "proofs"."is_mailbox_verified" and "proofs"."account_id" is not null
        when 'password' then "proofs"."account_id" is not null and "proofs"."mailbox" is null
        when 'passkey' then "proofs"."account_id" is not null and "proofs"."passkey_id" is not null and "proofs"."mailbox" is null
        when 'provider' then "proofs"."provider" is not null and "proofs"."subject" is not null
        when 'import' then "proofs"."account_id" is not null and not "proofs"."is_new_account"
        else false end),
	CONSTRAINT "proofs_make_accounts_of_proven_mailboxes_only" CHECK (not "proofs"."is_new_account" or ("proofs"."account_id" is not null and "proofs"."is_mailbox_verified" and "proofs"."mailbox" is not null))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"uid_hash" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"generation" integer NOT NULL,
	"proof_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"user_agent" text NOT NULL,
	"address" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "generation" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "generation_proof_id" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "mailbox_proof_id" text;--> statement-breakpoint
ALTER TABLE "engine_records" ADD COLUMN "session_hash" text;--> statement-breakpoint
ALTER TABLE "flows" ADD COLUMN "proof_id" text;--> statement-breakpoint
ALTER TABLE "flows" ADD COLUMN "link_proof_id" text;--> statement-breakpoint
ALTER TABLE "page_sessions" ADD COLUMN "session_hash" text;--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "owner_proof_id" text;--> statement-breakpoint
ALTER TABLE "social_identities" ADD COLUMN "proof_id" text;--> statement-breakpoint
ALTER TABLE "social_identities" ADD COLUMN "owner_proof_id" text;--> statement-breakpoint
ALTER TABLE "proof_uses" ADD CONSTRAINT "proof_uses_proof_id_proofs_id_fk" FOREIGN KEY ("proof_id") REFERENCES "public"."proofs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_proof_id_proofs_id_fk" FOREIGN KEY ("proof_id") REFERENCES "public"."proofs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "proofs_by_interaction" ON "proofs" USING btree ("interaction_hash");--> statement-breakpoint
CREATE INDEX "proofs_by_account" ON "proofs" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "proofs_by_mailbox" ON "proofs" USING btree ("mailbox");--> statement-breakpoint
CREATE INDEX "proofs_by_age" ON "proofs" USING btree ("proven_at");--> statement-breakpoint
CREATE INDEX "sessions_by_account" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_by_proof" ON "sessions" USING btree ("proof_id");--> statement-breakpoint
CREATE INDEX "sessions_by_age" ON "sessions" USING btree ("last_seen_at");--> statement-breakpoint
-- A fact does not change: what it was used for is a row of its own.
CREATE TRIGGER proofs_never_change BEFORE UPDATE ON proofs
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER proof_uses_never_change BEFORE UPDATE ON proof_uses
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
