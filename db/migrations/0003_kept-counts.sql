CREATE TABLE "session_counts" (
	"session_id" bigint PRIMARY KEY NOT NULL,
	"events_count" integer DEFAULT 0 NOT NULL,
	"registrations_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "session_counts_positive" CHECK ("session_counts"."events_count" >= 0 AND "session_counts"."registrations_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "totals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "totals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"rows_count" bigint DEFAULT 0 NOT NULL,
	"posted_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "totals_name_known" CHECK ("totals"."name" IN ('users', 'wallet', 'receivable', 'house', 'promo', 'external', 'clearing'))
);
--> statement-breakpoint
DROP INDEX "calls_user";--> statement-breakpoint
DROP INDEX "calls_event_user";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "moves_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "recorded_calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "resolved_calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "listed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- The columns and counters are filled once from the rows. From then on triggers keep them.
UPDATE "calls" SET "ended_at" = CASE WHEN "state" = 'soft_destroyed' THEN "updated_at" ELSE coalesce((
    SELECT s."created_at" FROM "settlements" s
    WHERE s."event_id" = "calls"."event_id" AND s."round" = "calls"."round"
      AND (s."paid_at" IS NOT NULL OR "calls"."user_id" >= s."paid_from_user_id")
    ORDER BY s."version" LIMIT 1
  ), "updated_at") END WHERE "state" IN ('resolved', 'soft_destroyed');--> statement-breakpoint
UPDATE "entries" SET "listed" = false FROM "journal" j
  WHERE j."id" = "entries"."journal_id" AND j."kind" = 'settle' AND "entries"."call_id" IS NOT NULL;--> statement-breakpoint
UPDATE "accounts" a SET "moves_count" = c.placed + c.ended, "recorded_calls" = c.recorded, "resolved_calls" = c.resolved
  FROM (
    SELECT "account_id", count(*) AS placed, count("ended_at") AS ended,
      count(*) FILTER (WHERE "state" <> 'soft_destroyed' OR "refunded_by" IS NOT NULL) AS recorded,
      count(*) FILTER (WHERE "state" = 'resolved') AS resolved
    FROM "calls" GROUP BY 1
  ) c WHERE a."id" = c."account_id";--> statement-breakpoint
UPDATE "accounts" a SET "moves_count" = a."moves_count" + e.listed
  FROM (SELECT "account_id", count(*) AS listed FROM "entries" WHERE "listed" GROUP BY 1) e WHERE a."id" = e."account_id";--> statement-breakpoint
INSERT INTO "session_counts" ("session_id", "events_count", "registrations_count")
  SELECT s."id", (SELECT count(*) FROM "events" e WHERE e."session_id" = s."id" AND e."state" <> 'soft_destroyed'),
    (SELECT count(*) FROM "registrations" r WHERE r."session_id" = s."id")
  FROM "sessions" s;--> statement-breakpoint
INSERT INTO "totals" ("name", "rows_count", "posted_cents")
  SELECT 'users', count(*), 0 FROM "users"
  UNION ALL SELECT "kind", count(*), sum("posted_cents") FROM "accounts" GROUP BY "kind";--> statement-breakpoint
ALTER TABLE "session_counts" ADD CONSTRAINT "session_counts_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "totals_name" ON "totals" USING btree ("name");--> statement-breakpoint
CREATE INDEX "calls_user_placed" ON "calls" USING btree ("user_id","placed_at","id");--> statement-breakpoint
CREATE INDEX "calls_user_ended" ON "calls" USING btree ("user_id","ended_at","id") WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "entries_listed" ON "entries" USING btree ("account_id","created_at","account_version") WHERE listed;--> statement-breakpoint
CREATE INDEX "sessions_order" ON "sessions" USING btree (("state" IN ('running', 'paused')) DESC,"active" DESC NULLS FIRST,coalesce("started_at", "starts_at", "created_at") DESC,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin (search_grams("email", "username")) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "users_avatar_signer" ON "users" USING btree (("avatar" ->> 'signer')) WHERE avatar IS NOT NULL;--> statement-breakpoint
CREATE INDEX "calls_event_player" ON "calls" USING btree ("event_id","user_id");--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_ended" CHECK (("calls"."ended_at" IS NOT NULL) = ("calls"."state" IN ('resolved', 'soft_destroyed')));