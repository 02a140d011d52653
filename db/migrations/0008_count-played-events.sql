-- Hidden events are not counted any more. Sessions without events have a row already, or need none.
UPDATE "session_counts" c SET "events_count" = (
  SELECT count(*) FROM "events" e WHERE e."session_id" = c."session_id" AND e."state" NOT IN ('hidden', 'soft_destroyed'));
