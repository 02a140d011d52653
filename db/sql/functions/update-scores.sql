-- update_scores(event, from, to): updates the results of an event, and the scores of its players, from its calls, for the players
-- with ids from p_from to p_to. Sums change by the difference between the new and the old result. A streak is extended if the event
-- is the player's newest; otherwise the score is stale until recount_streaks has counted it again, in the same transaction.
-- Calling it again changes nothing. Every row is looked up by an index: see apply-entries.sql.
CREATE FUNCTION update_scores(p_event bigint, p_from bigint, p_to bigint) RETURNS void LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET jit = off AS $$
DECLARE
  e events;
BEGIN
  SELECT * INTO STRICT e FROM events WHERE id = p_event;
  WITH fresh AS MATERIALIZED (
    SELECT c.user_id, count(*)::int AS calls_count, sum(c.payout_cents - c.wager_cents)::bigint AS net_cents,
      coalesce(sum(c.wager_cents) FILTER (WHERE c.outcome <> 'refunded'), 0)::bigint AS wagered_cents,
      coalesce(sum(c.payout_cents) FILTER (WHERE c.outcome <> 'refunded'), 0)::bigint AS returned_cents,
      bool_and(c.outcome = 'refunded') AS refunded
    FROM calls c
    WHERE e.result IS NOT NULL AND c.event_id = p_event AND c.round = e.round AND c.state = 'resolved'
      AND c.user_id BETWEEN p_from AND p_to
    GROUP BY c.user_id
  ), previous AS MATERIALIZED (
    SELECT * FROM results r WHERE r.event_id = p_event AND r.user_id BETWEEN p_from AND p_to
  ), deleted AS (
    DELETE FROM results r WHERE r.event_id = p_event AND r.user_id BETWEEN p_from AND p_to
      AND r.user_id NOT IN (SELECT user_id FROM fresh)
  ), upserted AS (
    INSERT INTO results (event_id, user_id, session_id, resolved_at, calls_count, net_cents, wagered_cents,
      returned_cents, refunded)
    SELECT p_event, user_id, e.session_id, e.resolved_at, calls_count, net_cents, wagered_cents, returned_cents, refunded
    FROM fresh
    ON CONFLICT (event_id, user_id) DO UPDATE SET calls_count = excluded.calls_count,
      net_cents = excluded.net_cents, wagered_cents = excluded.wagered_cents,
      returned_cents = excluded.returned_cents, refunded = excluded.refunded
  ), signed AS (
    SELECT 1 AS sign, user_id, calls_count, net_cents, wagered_cents, returned_cents, refunded FROM fresh
    UNION ALL
    SELECT -1, user_id, calls_count, net_cents, wagered_cents, returned_cents, refunded FROM previous
  ), change AS (
    SELECT user_id, sum(sign) AS played, bool_or(sign < 0) AS stale, sum(sign * calls_count) AS calls_count,
      sum(sign * (net_cents > 0)::int) AS wins, sum(sign * (net_cents < 0)::int) AS losses,
      sum(sign * refunded::int) AS refunded, sum(sign * net_cents) AS net_cents,
      sum(sign * wagered_cents) AS wagered_cents, sum(sign * returned_cents) AS returned_cents
    FROM signed GROUP BY user_id
  )
  INSERT INTO scores AS s (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
    returned_cents, current_streak, best_streak, last_resolved_at, last_event_id, stale)
  SELECT user_id, scope.session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
    returned_cents, greatest(wins, 0), greatest(wins, 0),
    CASE WHEN e.result IS NULL THEN '-infinity' ELSE e.resolved_at END, p_event, stale
  FROM change CROSS JOIN (SELECT NULL::bigint AS session_id UNION ALL SELECT e.session_id WHERE e.session_id IS NOT NULL) scope
  -- Always in the same order, so that two settlements cannot deadlock.
  ORDER BY user_id, scope.session_id NULLS FIRST
  ON CONFLICT (user_id, session_id) DO UPDATE SET
    played = s.played + excluded.played, wins = s.wins + excluded.wins, losses = s.losses + excluded.losses,
    refunded = s.refunded + excluded.refunded, calls_count = s.calls_count + excluded.calls_count,
    net_cents = s.net_cents + excluded.net_cents, wagered_cents = s.wagered_cents + excluded.wagered_cents,
    returned_cents = s.returned_cents + excluded.returned_cents,
    current_streak = CASE WHEN excluded.losses > 0 THEN 0 ELSE s.current_streak + excluded.current_streak END,
    best_streak = greatest(s.best_streak, s.current_streak + excluded.current_streak),
    last_resolved_at = excluded.last_resolved_at, last_event_id = excluded.last_event_id,
    stale = excluded.stale OR (excluded.last_resolved_at, excluded.last_event_id)
      < (s.last_resolved_at, s.last_event_id);
  IF EXISTS (SELECT 1 FROM scores WHERE stale) THEN
    PERFORM recount_streaks();
  END IF;
  INSERT INTO leaderboard_changes (session_id) VALUES (e.session_id);
END $$;
