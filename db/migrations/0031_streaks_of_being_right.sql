-- A streak is of being right, also where nobody took the other side: the streaks of all who have such a result are counted again.
-- From then on the settlements keep them.
WITH "unopposed" AS (
	SELECT e."id" FROM "events" e WHERE e."result" IS NOT NULL AND NOT EXISTS (
		SELECT FROM "spots" s WHERE s."event_id" = e."id" AND s."side" <> e."result" AND s."pool_cents" > 0)
), "players" AS (
	SELECT DISTINCT r."user_id" FROM "results" r WHERE r."refunded" AND r."event_id" IN (SELECT "id" FROM "unopposed")
), "runs" AS (
	SELECT s."user_id", s."session_id",
		r."net_cents" > 0 OR (r."refunded" AND r."event_id" IN (SELECT "id" FROM "unopposed")) AS "is_right",
		count(*) FILTER (WHERE r."net_cents" < 0)
			OVER (PARTITION BY s."user_id", s."session_id" ORDER BY r."resolved_at", r."event_id") AS "run"
	FROM "scores" s JOIN "results" r ON r."user_id" = s."user_id" AND (s."session_id" IS NULL OR r."session_id" = s."session_id")
	WHERE s."user_id" IN (SELECT "user_id" FROM "players")
), "streaks" AS (
	SELECT "user_id", "session_id", "run", count(*) FILTER (WHERE "is_right") AS "rights" FROM "runs" GROUP BY 1, 2, 3
), "counted" AS (
	SELECT "user_id", "session_id", (array_agg("rights" ORDER BY "run" DESC))[1] AS "current", max("rights") AS "best"
	FROM "streaks" GROUP BY 1, 2
)
UPDATE "scores" s SET "current_streak" = c."current", "best_streak" = c."best" FROM "counted" c
	WHERE s."user_id" = c."user_id" AND s."session_id" IS NOT DISTINCT FROM c."session_id"
		AND (s."current_streak", s."best_streak") <> (c."current", c."best");
