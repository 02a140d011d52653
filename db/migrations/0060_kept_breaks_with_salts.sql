-- No release has written any. They were hashed by a key that nothing has any more.
DELETE FROM "kept_breaks";--> statement-breakpoint
ALTER TABLE "breaks" ADD COLUMN "resumed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "kept_breaks" ADD COLUMN "salt" text NOT NULL;--> statement-breakpoint
ALTER TABLE "kept_breaks" ADD COLUMN "period" text NOT NULL;--> statement-breakpoint
ALTER TABLE "kept_breaks" ADD CONSTRAINT "kept_breaks_period_known" CHECK ("kept_breaks"."period" IN ('day', 'week', 'month', 'half_year', 'year', 'five_years'));
