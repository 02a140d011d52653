ALTER TABLE "events" ADD COLUMN "decided_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "decided_by_id" bigint;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "effective_at" timestamp with time zone;--> statement-breakpoint
-- What pending results and the settlements in force say. A result from before this release was decided when it was paid.
UPDATE "events" SET "decided_at" = "updated_at", "decided_by_id" = "pending_by_id", "effective_at" = "pending_effective_at"
  WHERE "pending_result" IS NOT NULL;--> statement-breakpoint
UPDATE "events" SET "decided_at" = "resolved_at", "effective_at" = (
    SELECT "effective_at" FROM "settlements"
    WHERE "event_id" = "events"."id" AND "round" = "events"."round" AND NOT "superseded"
  ) WHERE "result" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_pending_has_result";--> statement-breakpoint
ALTER TABLE "events" DROP COLUMN "pending_effective_at";--> statement-breakpoint
ALTER TABLE "events" DROP COLUMN "pending_by_id";--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_decided_has_result" CHECK (coalesce("events"."pending_result", "events"."result") IS NOT NULL OR num_nonnulls("events"."decided_at", "events"."decided_by_id", "events"."effective_at") = 0);--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_pending_has_result" CHECK ("events"."pending_result" IS NOT NULL OR "events"."pending_reason" IS NULL);