-- recount_streaks(): recomputes the streaks of stale scores from all their results. Other transactions never see stale scores: they
-- are marked and recomputed in one transaction. Being right extends a streak, a loss ends it, and a push leaves it as it is.
-- A score without results is deleted.
CREATE FUNCTION recount_streaks() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM scores WHERE stale AND played = 0;
  -- Each score by itself, by the index of its player's results: a join of all would be planned before anybody knows how many are stale.
  UPDATE scores s SET stale = false, (current_streak, best_streak, last_resolved_at, last_event_id) = (
    SELECT (array_agg(rights ORDER BY run DESC))[1], max(rights), (array_agg(resolved_at ORDER BY run DESC))[1],
      (array_agg(event_id ORDER BY run DESC))[1]
    FROM (
      SELECT run, count(*) FILTER (WHERE is_right) AS rights, max(resolved_at) AS resolved_at,
        (array_agg(event_id ORDER BY resolved_at DESC, event_id DESC))[1] AS event_id
      FROM (
        SELECT r.resolved_at, r.event_id, r.net_cents > 0 OR (r.refunded AND was_unopposed(r.event_id)) AS is_right,
          count(*) FILTER (WHERE r.net_cents < 0) OVER (ORDER BY r.resolved_at, r.event_id) AS run
        FROM results r WHERE r.user_id = s.user_id AND (s.session_id IS NULL OR r.session_id = s.session_id)
      ) runs GROUP BY run
    ) streaks
  ) WHERE s.stale AND EXISTS (
    SELECT FROM results r WHERE r.user_id = s.user_id AND (s.session_id IS NULL OR r.session_id = s.session_id)
  );
END $$;
