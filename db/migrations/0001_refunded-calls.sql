ALTER TABLE "calls" ADD COLUMN "refunded_by" text;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_refunded_by_known" CHECK ("calls"."refunded_by" IN ('skip', 'reset', 'admin'));--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_refunded_is_destroyed" CHECK ("calls"."refunded_by" IS NULL OR "calls"."state" = 'soft_destroyed');