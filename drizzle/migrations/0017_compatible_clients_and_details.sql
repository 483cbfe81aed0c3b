ALTER TABLE "applications" ADD COLUMN "is_compatible" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_steps" ADD COLUMN "detail" text;--> statement-breakpoint
CREATE INDEX "sign_in_steps_by_beginning" ON "sign_in_steps" USING btree ("trace_id" text_pattern_ops);