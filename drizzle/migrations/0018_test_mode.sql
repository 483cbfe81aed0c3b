CREATE TABLE "test_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"code" text NOT NULL,
	"debit_account" text NOT NULL,
	"credit_account" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"reference" text NOT NULL,
	"reverses" text,
	"undoes_session" boolean DEFAULT false NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "test_transfers_reference_unique" UNIQUE("reference"),
	CONSTRAINT "test_transfers_reverses_unique" UNIQUE("reverses"),
	CONSTRAINT "test_transfers_never_move_a_negative_amount" CHECK ("test_transfers"."amount" >= 0),
	CONSTRAINT "test_transfers_move_between_test_accounts" CHECK (case "test_transfers"."code"
        when 'charge' then "test_transfers"."debit_account" = 'test_credit:' || "test_transfers"."application_id"
          and "test_transfers"."credit_account" = 'test_usage:' || "test_transfers"."application_id" and "test_transfers"."reverses" is null
        when 'reversal' then "test_transfers"."debit_account" = 'test_usage:' || "test_transfers"."application_id"
          and "test_transfers"."credit_account" = 'test_credit:' || "test_transfers"."application_id" and "test_transfers"."reverses" is not null
        else false end)
);
--> statement-breakpoint
CREATE TABLE "test_usage_events" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"sub" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"transfer_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"trace_id" text,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "test_usage_events_transfer_id_unique" UNIQUE("transfer_id"),
	CONSTRAINT "test_usage_events_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "test_usage_events_kind" CHECK ("test_usage_events"."kind" in ('registration', 'sign_in'))
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "went_live_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "test_addresses" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "test_transfers" ADD CONSTRAINT "test_transfers_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_usage_events" ADD CONSTRAINT "test_usage_events_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_usage_events" ADD CONSTRAINT "test_usage_events_transfer_id_test_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."test_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "test_transfers_by_application" ON "test_transfers" USING btree ("application_id","created_at");--> statement-breakpoint
CREATE INDEX "test_usage_events_newest_first" ON "test_usage_events" USING btree ("application_id","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "test_usage_events_of_customer" ON "test_usage_events" USING btree ("application_id","sub","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "test_usage_events_by_kind" ON "test_usage_events" USING btree ("application_id","kind","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE TRIGGER test_transfers_are_append_only BEFORE UPDATE OR DELETE ON test_transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER test_transfers_are_never_truncated BEFORE TRUNCATE ON test_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER test_usage_events_are_append_only BEFORE UPDATE OR DELETE ON test_usage_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER test_usage_events_are_never_truncated BEFORE TRUNCATE ON test_usage_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
-- Nobody signs in for test money once an application is live; what it did before comes back with a copy of the database.
CREATE FUNCTION require_test_mode() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM applications
    WHERE id = NEW.application_id AND (is_test OR NEW.occurred_at <= went_live_at);
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is not in test mode', NEW.application_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER test_usage_events_are_of_test_mode BEFORE INSERT ON test_usage_events
  FOR EACH ROW EXECUTE FUNCTION require_test_mode();
--> statement-breakpoint
-- One way: test, then live, with the moment, which never changes.
CREATE FUNCTION refuse_return_to_test_mode() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.is_test AND NOT OLD.is_test)
    OR (OLD.is_test AND NOT NEW.is_test) <> (NEW.went_live_at IS DISTINCT FROM OLD.went_live_at)
    OR (NEW.is_test AND NEW.went_live_at IS NOT NULL)
  THEN
    RAISE EXCEPTION 'an application goes live once, and for good' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER applications_go_live_once BEFORE UPDATE OF is_test, went_live_at ON applications
  FOR EACH ROW EXECUTE FUNCTION refuse_return_to_test_mode();
