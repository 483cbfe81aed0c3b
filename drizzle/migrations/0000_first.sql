CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"name" text,
	"locale" text NOT NULL,
	"password_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "accounts_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"hint" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "applications" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"client_type" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"post_logout_redirect_uris" text[] NOT NULL,
	"allowed_origins" text[] NOT NULL,
	"logo" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "applications_client_id_unique" UNIQUE("client_id"),
	CONSTRAINT "applications_name_length" CHECK (char_length("applications"."name") between 1 and 100),
	CONSTRAINT "applications_client_type" CHECK ("applications"."client_type" in ('confidential', 'public')),
	CONSTRAINT "applications_have_a_callback" CHECK (cardinality("applications"."redirect_uris") > 0)
);
--> statement-breakpoint
CREATE TABLE "attempt_counters" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "balances" (
	"application_id" text PRIMARY KEY NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "balances_are_never_negative" CHECK ("balances"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "client_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"application_id" text NOT NULL,
	"account_id" text NOT NULL,
	"scopes" text[] NOT NULL,
	"granted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "consents_application_id_account_id_pk" PRIMARY KEY("application_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"application_id" text NOT NULL,
	"account_id" text NOT NULL,
	"sub" text NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone NOT NULL,
	"sign_in_count" integer NOT NULL,
	CONSTRAINT "customers_application_id_account_id_pk" PRIMARY KEY("application_id","account_id"),
	CONSTRAINT "customers_sub_within_application" UNIQUE("application_id","sub")
);
--> statement-breakpoint
CREATE TABLE "development_inbox" (
	"id" text PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"sender" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_records" (
	"model" text NOT NULL,
	"id_hash" text NOT NULL,
	"payload" jsonb NOT NULL,
	"grant_id" text,
	"account_id" text,
	"uid" text,
	"expires_at" timestamp (3) with time zone,
	"consumed_at" timestamp (3) with time zone,
	CONSTRAINT "engine_records_model_id_hash_pk" PRIMARY KEY("model","id_hash")
);
--> statement-breakpoint
CREATE TABLE "flows" (
	"interaction_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"application_id" text NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"password_hash" text,
	"code_hash" text,
	"code_expires_at" timestamp (3) with time zone,
	"code_sent_at" timestamp (3) with time zone,
	"code_attempts" integer NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prices" (
	"workspace_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "prices_workspace_id_kind_pk" PRIMARY KEY("workspace_id","kind"),
	CONSTRAINT "prices_are_not_negative" CHECK ("prices"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"sealed_private_jwk" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"activated_at" timestamp (3) with time zone NOT NULL,
	"retires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"code" text NOT NULL,
	"debit_account" text NOT NULL,
	"credit_account" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"reference" text NOT NULL,
	"reverses" text,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfers_reference_unique" UNIQUE("reference"),
	CONSTRAINT "transfers_reverses_unique" UNIQUE("reverses"),
	CONSTRAINT "transfers_move_a_positive_amount" CHECK ("transfers"."amount" >= 0),
	CONSTRAINT "transfers_have_two_sides" CHECK ("transfers"."debit_account" <> "transfers"."credit_account")
);
--> statement-breakpoint
CREATE TABLE "usage_events" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"sub" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"transfer_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_events_transfer_id_unique" UNIQUE("transfer_id"),
	CONSTRAINT "usage_events_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "usage_events_kind" CHECK ("usage_events"."kind" in ('registration', 'sign_in'))
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"delivery_id" text NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"response_status" integer,
	"response_body" text,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"event_id" text NOT NULL,
	"status" text NOT NULL,
	"attempt_count" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_once_per_subscription" UNIQUE("subscription_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"event_id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"url" text NOT NULL,
	"application_ids" text[],
	"types" text[] NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_next_secret" text,
	"next_secret_at" timestamp (3) with time zone,
	"status" text NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workspaces_currency_is_iso_4217" CHECK ("workspaces"."currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prices" ADD CONSTRAINT "prices_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_events" ADD CONSTRAINT "usage_events_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_events" ADD CONSTRAINT "usage_events_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_subscription_id_webhook_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."webhook_subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_messages_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_messages"("event_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_subscriptions" ADD CONSTRAINT "webhook_subscriptions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_by_workspace" ON "api_keys" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "applications_by_workspace" ON "applications" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "client_secrets_by_application" ON "client_secrets" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "customers_newest_first" ON "customers" USING btree ("application_id","registered_at" DESC NULLS LAST,"sub" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "development_inbox_newest_first" ON "development_inbox" USING btree ("recipient","sent_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "engine_records_by_grant" ON "engine_records" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "engine_records_by_account" ON "engine_records" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "engine_records_by_uid" ON "engine_records" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "engine_records_by_expiry" ON "engine_records" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "flows_by_age" ON "flows" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "transfers_by_application" ON "transfers" USING btree ("application_id","created_at");--> statement-breakpoint
CREATE INDEX "usage_events_newest_first" ON "usage_events" USING btree ("application_id","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_attempts_by_delivery" ON "webhook_attempts" USING btree ("delivery_id","number");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_subscriptions_by_workspace" ON "webhook_subscriptions" USING btree ("workspace_id");