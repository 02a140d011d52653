ALTER TABLE "calls" ADD COLUMN "refunded_by" text;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_refunded_by_known" CHECK ("calls"."refunded_by" IN ('skip', 'reset', 'admin'));--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_refunded_is_destroyed" CHECK ("calls"."refunded_by" IS NULL OR "calls"."state" = 'soft_destroyed');--> statement-breakpoint
-- What earlier skips and resets refunded. They wrote their audit line right afterwards, in the same transaction.
UPDATE "calls" SET "refunded_by" = "audit"."action" FROM "audit"
  WHERE "calls"."state" = 'soft_destroyed' AND "audit"."action" IN ('skip', 'reset')
    AND "audit"."subject_type" = 'event' AND "audit"."subject_id" = "calls"."event_id"
    AND "calls"."updated_at" BETWEEN "audit"."created_at" - interval '1 s' AND "audit"."created_at";
