CREATE TABLE "account_verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"ok" boolean NOT NULL,
	"broken" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proof_imports" (
	"name" text PRIMARY KEY NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "account_verifications_newest_first" ON "account_verifications" USING btree ("finished_at" DESC NULLS LAST);