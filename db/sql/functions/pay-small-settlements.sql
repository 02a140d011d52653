-- pay_small_settlements(payer_lock, events, fences): pays the unpaid settlements of these events completely, as many of them as have
-- settle_part_max calls together. p_fences has the token of each event's lock, or NULL.
-- It leaves out whatever it would have to wait for, and what is not one part: a large settlement, a correction, one whose payment has
-- begun, and one whose lock has a newer holder.
-- p_payer_lock is the class of the advisory lock of an event's only payer. It never waits for a gate or a payer. All wallets are
-- locked before the first of them is paid, in ascending order, and then all scores, so that two transactions cannot deadlock.
-- Returns the players of each paid event, as pay_settlement_part does, and updates their scores.
CREATE FUNCTION pay_small_settlements(p_payer_lock int, p_events bigint[], p_fences bigint[])
RETURNS TABLE (event_id bigint, user_id bigint, refunded_cents bigint) LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET jit = off AS $$
#variable_conflict use_column
DECLARE
  due record;
  v_events bigint[] := '{}';
  v_event bigint;
  v_calls bigint := 0;
  v_players bigint[];
  v_from bigint;
  v_to bigint;
BEGIN
  PERFORM require_read_committed();
  FOR due IN
    SELECT p.id, p.fence, s.calls_count
    FROM unnest(p_events, p_fences) AS p(id, fence)
      JOIN settlements s ON s.event_id = p.id AND NOT s.superseded AND s.paid_at IS NULL
      JOIN events e ON e.id = p.id
    WHERE s.version = 1 AND s.paid_from_user_id IS NULL
    -- In the order of the streaks.
    ORDER BY e.resolved_at, p.id
  LOOP
    CONTINUE WHEN v_calls + due.calls_count > settle_part_max();
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(lock_class(p_payer_lock, due.id), lock_key(due.id));
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(lock_class(7701, due.id), lock_key(due.id));
    UPDATE events SET fence = coalesce(due.fence, fence) WHERE id = due.id AND fence <= coalesce(due.fence, fence);
    CONTINUE WHEN NOT FOUND;
    v_events := v_events || due.id;
    v_calls := v_calls + due.calls_count;
  END LOOP;
  PERFORM 1 FROM accounts WHERE id IN (
    SELECT c.account_id FROM calls c WHERE c.event_id = ANY (v_events) AND c.state = 'closed'
  ) ORDER BY id FOR NO KEY UPDATE;
  v_players := ARRAY(SELECT DISTINCT c.user_id FROM calls c WHERE c.event_id = ANY (v_events) AND c.state = 'closed');
  PERFORM 1 FROM scores s WHERE s.user_id = ANY (v_players)
    AND (s.session_id IS NULL OR s.session_id IN (SELECT e.session_id FROM events e WHERE e.id = ANY (v_events)))
    ORDER BY s.user_id, s.session_id NULLS FIRST FOR NO KEY UPDATE;
  FOREACH v_event IN ARRAY v_events LOOP
    v_from := NULL;
    v_to := NULL;
    FOR user_id, refunded_cents IN SELECT p.user_id, p.refunded_cents FROM pay_settlement_part(v_event, settle_part_max()) p LOOP
      event_id := v_event;
      v_from := least(v_from, user_id);
      v_to := greatest(v_to, user_id);
      RETURN NEXT;
    END LOOP;
    PERFORM update_scores(v_event, v_from, v_to) WHERE v_from IS NOT NULL;
  END LOOP;
END $$;
