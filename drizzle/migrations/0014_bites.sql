CREATE TABLE "long_work" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"detail" jsonb NOT NULL,
	"cursor" text,
	"done" bigint NOT NULL,
	"total" bigint,
	"started_at" timestamp (3) with time zone NOT NULL,
	"next_bite_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"failures" integer NOT NULL,
	"error" text,
	CONSTRAINT "long_work_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "long_work_due" ON "long_work" USING btree ("next_bite_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "long_work_finished" ON "long_work" USING btree ("finished_at") WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX "attempt_counters_by_age" ON "attempt_counters" USING btree ("window_ends_at");--> statement-breakpoint
CREATE INDEX "consents_by_account" ON "consents" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "customers_by_account" ON "customers" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "development_inbox_by_age" ON "development_inbox" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "flows_by_email" ON "flows" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invitations_by_email" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invitations_by_inviter" ON "invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "sessions_by_end" ON "sessions" USING btree ("ended_at");