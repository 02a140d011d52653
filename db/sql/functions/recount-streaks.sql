-- recount_streaks(): recomputes the streaks of stale scores from all their results. Other transactions never see stale scores: they
-- are marked and recomputed in one transaction. Being right extends a streak, a loss ends it, and a push leaves it as it is.
-- A score without results is deleted.
CREATE FUNCTION recount_streaks() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM scores WHERE stale AND played = 0;
  WITH runs AS (
    SELECT s.user_id, s.session_id, r.resolved_at, r.event_id,
      r.net_cents > 0 OR (r.refunded AND was_unopposed(r.event_id)) AS is_right,
      count(*) FILTER (WHERE r.net_cents < 0)
        OVER (PARTITION BY s.user_id, s.session_id ORDER BY r.resolved_at, r.event_id) AS run
    FROM scores s JOIN results r
      ON r.user_id = s.user_id AND (s.session_id IS NULL OR r.session_id = s.session_id)
    WHERE s.stale
  ), streaks AS (
    SELECT user_id, session_id, run, count(*) FILTER (WHERE is_right) AS rights
    FROM runs GROUP BY user_id, session_id, run
  ), counted AS (
    SELECT user_id, session_id, (array_agg(rights ORDER BY run DESC))[1] AS current_streak, max(rights) AS best_streak
    FROM streaks GROUP BY user_id, session_id
  ), newest AS (
    SELECT DISTINCT ON (user_id, session_id) user_id, session_id, resolved_at, event_id
    FROM runs ORDER BY user_id, session_id, resolved_at DESC, event_id DESC
  )
  UPDATE scores s SET stale = false, current_streak = c.current_streak, best_streak = c.best_streak,
    last_resolved_at = n.resolved_at, last_event_id = n.event_id
  FROM counted c JOIN newest n ON n.user_id = c.user_id AND n.session_id IS NOT DISTINCT FROM c.session_id
  WHERE s.stale AND s.user_id = c.user_id AND s.session_id IS NOT DISTINCT FROM c.session_id;
END $$;
