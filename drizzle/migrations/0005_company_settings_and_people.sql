CREATE TABLE "audit_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"account_id" text,
	"action" text NOT NULL,
	"target" text,
	"detail" jsonb NOT NULL,
	"address" text,
	"occurred_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "balance_thresholds" (
	"application_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"reached_at" timestamp (3) with time zone,
	CONSTRAINT "balance_thresholds_application_id_amount_pk" PRIMARY KEY("application_id","amount"),
	CONSTRAINT "balance_thresholds_are_not_negative" CHECK ("balance_thresholds"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "email_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"old_email" text NOT NULL,
	"new_email" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_expires_at" timestamp (3) with time zone NOT NULL,
	"code_attempts" integer NOT NULL,
	"cancel_token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "email_changes_cancel_token_hash_unique" UNIQUE("cancel_token_hash")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('owner', 'developer', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "members" (
	"workspace_id" text NOT NULL,
	"account_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "members_workspace_id_account_id_pk" PRIMARY KEY("workspace_id","account_id"),
	CONSTRAINT "members_role" CHECK ("members"."role" in ('owner', 'developer', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "page_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"area" text NOT NULL,
	"token_hash" text NOT NULL,
	"account_id" text NOT NULL,
	"authenticated_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"user_agent" text NOT NULL,
	"address" text NOT NULL,
	CONSTRAINT "page_sessions_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "page_sessions_area" CHECK ("page_sessions"."area" in ('settings', 'account'))
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"challenge_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"bound_to" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "passkey_challenges_purpose" CHECK ("passkey_challenges"."purpose" in ('create', 'sign_in'))
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"provider" text NOT NULL,
	"provider_reference" text,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"started_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "payments_provider_reference_unique" UNIQUE("provider_reference"),
	CONSTRAINT "payments_are_positive" CHECK ("payments"."amount" > 0),
	CONSTRAINT "payments_status" CHECK ("payments"."status" in ('pending', 'paid', 'expired', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "sign_in_steps" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"trace_id" text NOT NULL,
	"step" text NOT NULL,
	"reason" text,
	"occurred_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signed_in_browsers" (
	"session_hash" text PRIMARY KEY NOT NULL,
	"sealed_session_uid" text NOT NULL,
	"account_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"user_agent" text NOT NULL,
	"address" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social_identities" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"account_id" text NOT NULL,
	"email" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "social_identities_provider_subject_pk" PRIMARY KEY("provider","subject"),
	CONSTRAINT "social_identities_once_per_account" UNIQUE("account_id","provider")
);
--> statement-breakpoint
CREATE TABLE "social_trips" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"purpose" text NOT NULL,
	"bound_to" text NOT NULL,
	"sealed_nonce" text NOT NULL,
	"sealed_verifier" text NOT NULL,
	"subject" text,
	"email" text,
	"email_verified" boolean,
	"name" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "social_trips_purpose" CHECK ("social_trips"."purpose" in ('sign_in', 'link'))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "application_ids" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_address" text;--> statement-breakpoint
ALTER TABLE "client_secrets" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "actor" text;--> statement-breakpoint
ALTER TABLE "usage_events" ADD COLUMN "trace_id" text;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD COLUMN "request_headers" jsonb;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balance_thresholds" ADD CONSTRAINT "balance_thresholds_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_newest_first" ON "audit_entries" USING btree ("workspace_id","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "email_changes_by_account" ON "email_changes" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "email_changes_by_age" ON "email_changes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "invitations_by_workspace" ON "invitations" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "members_by_account" ON "members" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "page_sessions_by_account" ON "page_sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "page_sessions_by_age" ON "page_sessions" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "passkey_challenges_by_age" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_by_account" ON "passkeys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "payments_by_application" ON "payments" USING btree ("application_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_steps_newest_first" ON "sign_in_steps" USING btree ("application_id","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "sign_in_steps_by_trace" ON "sign_in_steps" USING btree ("trace_id");--> statement-breakpoint
CREATE INDEX "sign_in_steps_by_age" ON "sign_in_steps" USING btree ("occurred_at");--> statement-breakpoint
CREATE INDEX "signed_in_browsers_by_account" ON "signed_in_browsers" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "signed_in_browsers_by_age" ON "signed_in_browsers" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "social_trips_by_binding" ON "social_trips" USING btree ("bound_to");--> statement-breakpoint
CREATE INDEX "social_trips_by_age" ON "social_trips" USING btree ("created_at");--> statement-breakpoint
CREATE TRIGGER audit_entries_are_append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER audit_entries_are_never_truncated BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();
