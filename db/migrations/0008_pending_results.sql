ALTER TABLE "events" ADD COLUMN "pending_result" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "pending_reason" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "pending_effective_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "pending_by_id" bigint;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_pending_known" CHECK ("events"."pending_result" IN ('true', 'false', 'void'));--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_pending_is_due" CHECK ("events"."pending_result" IS NULL OR ("events"."state" = 'closed' AND "events"."next_transition" = 'resolve'));--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_pending_has_result" CHECK ("events"."pending_result" IS NOT NULL OR num_nonnulls("events"."pending_reason", "events"."pending_effective_at", "events"."pending_by_id") = 0);