-- update_scores(event, from, to): updates the results of an event, and the scores of its players, from its calls, for the players
-- with ids from p_from to p_to. The calls of a merged guest count for its account: only a correction meets them, because a guest with
-- open calls is not merged. Sums change by the difference between the new and the old result. A player who was right
-- extends the streak if the event is the player's newest; otherwise the score is stale until recount_streaks has counted it again, in the same transaction.
-- Calling it again changes nothing. Every row is looked up by an index: see apply-entries.sql.
-- The caller holds the event's gate, and the wallets of the players whose first result it is. So nobody else adds their results.
CREATE FUNCTION update_scores(p_event bigint, p_from bigint, p_to bigint) RETURNS void LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  e events;
  unopposed boolean := was_unopposed(p_event);
  fresh results[];
  previous results[];
  merged bigint[];  -- accounts with calls of a merged guest on the event
BEGIN
  SELECT * INTO STRICT e FROM events WHERE id = p_event;
  fresh := ARRAY(
    SELECT ROW(p_event, c.user_id, e.session_id, e.resolved_at, count(*), sum(c.payout_cents - c.wager_cents),
      coalesce(sum(c.wager_cents) FILTER (WHERE c.outcome <> 'refunded'), 0),
      coalesce(sum(c.payout_cents) FILTER (WHERE c.outcome <> 'refunded'), 0),
      bool_and(c.outcome = 'refunded'))::results
    FROM calls c
    WHERE e.result IS NOT NULL AND c.event_id = p_event AND c.round = e.round AND c.state = 'resolved'
      AND c.user_id BETWEEN p_from AND p_to
    GROUP BY c.user_id
  );
  IF EXISTS (SELECT 1 FROM settlements s WHERE s.event_id = p_event AND s.superseded) THEN
    merged := ARRAY(
      SELECT u.merged_into FROM calls c JOIN users u ON u.id = c.user_id
      WHERE c.event_id = p_event AND c.user_id BETWEEN p_from AND p_to AND u.merged_into IS NOT NULL
      UNION SELECT u.merged_into FROM users u
      WHERE u.merged_into BETWEEN p_from AND p_to
        AND EXISTS (SELECT 1 FROM calls c WHERE c.event_id = p_event AND c.user_id = u.id));
    fresh := ARRAY(SELECT f FROM unnest(fresh) f WHERE NOT EXISTS (
        SELECT 1 FROM users u WHERE u.id = f.user_id AND coalesce(u.merged_into, u.id) = ANY (merged)))
      || ARRAY(
        SELECT ROW(p_event, a.id, e.session_id, e.resolved_at, count(*), sum(c.payout_cents - c.wager_cents),
          coalesce(sum(c.wager_cents) FILTER (WHERE c.outcome <> 'refunded'), 0),
          coalesce(sum(c.payout_cents) FILTER (WHERE c.outcome <> 'refunded'), 0),
          bool_and(c.outcome = 'refunded'))::results
        FROM unnest(merged) a(id)
          CROSS JOIN LATERAL (SELECT a.id AS player UNION ALL SELECT u.id FROM users u WHERE u.merged_into = a.id) p
          JOIN calls c ON c.event_id = p_event AND c.user_id = p.player AND c.round = e.round AND c.state = 'resolved'
        WHERE e.result IS NOT NULL GROUP BY a.id);
  END IF;
  previous := ARRAY(
    SELECT r FROM results r WHERE r.event_id = p_event AND r.user_id BETWEEN p_from AND p_to
    UNION ALL SELECT r FROM results r
    WHERE r.event_id = p_event AND r.user_id = ANY (merged) AND r.user_id NOT BETWEEN p_from AND p_to);
  IF cardinality(previous) > 0 THEN
    -- Each row by its key: a join would read the whole event for a part of it.
    DELETE FROM results r USING unnest(previous) p CROSS JOIN LATERAL (
        SELECT k.ctid FROM results k WHERE k.event_id = p_event AND k.user_id = p.user_id LIMIT 1
      ) k
      WHERE r.ctid = k.ctid AND p.user_id NOT IN (SELECT user_id FROM unnest(fresh));
    UPDATE results r SET calls_count = f.calls_count, net_cents = f.net_cents, wagered_cents = f.wagered_cents,
        returned_cents = f.returned_cents, refunded = f.refunded
      FROM unnest(fresh) f CROSS JOIN LATERAL (
        SELECT k.ctid FROM results k WHERE k.event_id = p_event AND k.user_id = f.user_id LIMIT 1
      ) k
      WHERE r.ctid = k.ctid;
  END IF;
  INSERT INTO results SELECT f.* FROM unnest(fresh) f WHERE f.user_id NOT IN (SELECT user_id FROM unnest(previous));

  INSERT INTO scores AS s
    SELECT c.user_id, scope.session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents, returned_cents,
      greatest(rights, 0), greatest(rights, 0), CASE WHEN e.result IS NULL THEN '-infinity' ELSE e.resolved_at END, p_event, stale
    FROM (
      SELECT user_id, sum(sign) AS played, bool_or(sign < 0) AS stale, sum(sign * calls_count) AS calls_count,
        sum(sign * (net_cents > 0 OR (refunded AND unopposed))::int) AS rights,
        sum(sign * (net_cents > 0)::int) AS wins, sum(sign * (net_cents < 0)::int) AS losses,
        sum(sign * refunded::int) AS refunded, sum(sign * net_cents) AS net_cents,
        sum(sign * wagered_cents) AS wagered_cents, sum(sign * returned_cents) AS returned_cents
      FROM (
        SELECT 1 AS sign, f.* FROM unnest(fresh) f UNION ALL SELECT -1, p.* FROM unnest(previous) p
      ) signed
      GROUP BY user_id
    ) c CROSS JOIN (
      SELECT NULL::bigint AS session_id UNION ALL SELECT e.session_id WHERE e.session_id IS NOT NULL
    ) scope
    -- Always in the same order, so that two settlements cannot deadlock.
    ORDER BY user_id, session_id NULLS FIRST
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
