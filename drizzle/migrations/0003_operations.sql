CREATE TABLE "kept_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"ok" boolean NOT NULL,
	"broken" jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ledger_verifications_newest_first" ON "ledger_verifications" USING btree ("finished_at" DESC NULLS LAST);