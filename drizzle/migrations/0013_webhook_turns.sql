ALTER TABLE "webhook_deliveries" ADD COLUMN "claimed_by" text;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "claimed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_subscriptions" ADD COLUMN "resume_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_subscriptions" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_turns" ON "webhook_deliveries" USING btree ("subscription_id","next_attempt_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_new" ON "webhook_deliveries" USING btree ("attempt_count","subscription_id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_claimed" ON "webhook_deliveries" USING btree ("claimed_until") WHERE claimed_by is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("subscription_id","event_id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "webhook_subscriptions_deleted" ON "webhook_subscriptions" USING btree ("id") WHERE deleted_at is not null;