ALTER TABLE "settlements" ADD COLUMN "last_remainder" bigint;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "last_call_id" bigint;