ALTER TABLE "transfers" ADD COLUMN "undoes_session" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "transfers" RENAME CONSTRAINT "transfers_move_a_positive_amount" TO "transfers_never_move_a_negative_amount";
