CREATE TABLE "logout_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"account_id" text,
	"grant_id" text,
	"sub" text,
	"sid" text,
	"status" text NOT NULL,
	"attempt_count" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_by" text,
	"claimed_until" timestamp (3) with time zone,
	"response_status" integer,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "logout_notices_status" CHECK ("logout_notices"."status" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "logout_notices_know_whom_they_are_about" CHECK ("logout_notices"."status" <> 'pending' or ("logout_notices"."account_id" is not null and "logout_notices"."grant_id" is not null
        and "logout_notices"."next_attempt_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "backchannel_logout_uri" text;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "backchannel_logout_session_required" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "logout_notices" ADD CONSTRAINT "logout_notices_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "logout_notices_turns" ON "logout_notices" USING btree ("application_id","next_attempt_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "logout_notices_retries" ON "logout_notices" USING btree ("application_id","attempt_count") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "logout_notices_claimed" ON "logout_notices" USING btree ("claimed_until") WHERE claimed_by is not null;--> statement-breakpoint
CREATE INDEX "logout_notices_newest_first" ON "logout_notices" USING btree ("application_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "logout_notices_by_age" ON "logout_notices" USING btree ("created_at");