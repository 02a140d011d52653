ALTER TABLE "accounts" ADD COLUMN "cancelled_calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Filled once from the rows. From then on triggers keep it.
UPDATE "accounts" a SET "cancelled_calls" = c.cancelled
  FROM (
    SELECT "account_id", count(*) AS cancelled FROM "calls"
    WHERE "state" = 'soft_destroyed' AND "refunded_by" IS NULL GROUP BY 1
  ) c WHERE a."id" = c."account_id";
