CREATE TABLE "event_positions" (
	"application_id" text NOT NULL,
	"position" bigint NOT NULL,
	"event_id" text NOT NULL,
	CONSTRAINT "event_positions_application_id_position_pk" PRIMARY KEY("application_id","position"),
	CONSTRAINT "event_positions_event_id_unique" UNIQUE("event_id")
);
--> statement-breakpoint
CREATE TABLE "statement_seals" (
	"application_id" text NOT NULL,
	"month" text NOT NULL,
	"opening" bigint NOT NULL,
	"closing" bigint NOT NULL,
	"entry_count" integer NOT NULL,
	"hash" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statement_seals_application_id_month_pk" PRIMARY KEY("application_id","month")
);
--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "last_position" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "positioned_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "sealed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "statement_seals" ADD CONSTRAINT "statement_seals_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_entries_by_action" ON "audit_entries" USING btree ("workspace_id","action","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_entries_by_person" ON "audit_entries" USING btree ("workspace_id","account_id","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sign_in_steps_failures" ON "sign_in_steps" USING btree ("application_id","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE reason is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfers_beside_charges" ON "transfers" USING btree ("application_id","created_at","id") WHERE code <> 'charge';--> statement-breakpoint
CREATE TRIGGER event_positions_never_change BEFORE UPDATE OR DELETE ON event_positions
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER event_positions_are_never_truncated BEFORE TRUNCATE ON event_positions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER statement_seals_never_change BEFORE UPDATE OR DELETE ON statement_seals
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER statement_seals_are_never_truncated BEFORE TRUNCATE ON statement_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();
