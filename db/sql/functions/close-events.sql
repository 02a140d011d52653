-- close_events(events, fences, at, paused_at, actor, token): closes these open events, their spots and their calls, and writes the
-- fact and the audit entry of each, in the order given. Returns their new rows in this order. The caller has checked the transition,
-- and holds the events' gates. All timers and hosts close by it.
-- p_fences has the token of each event's lock, or NULL. p_at is the time, read behind the gates; p_paused_at is that of the pause of
-- their session: then nothing is due, and the remaining time is stored. p_actor and p_token are the audit's; NULL is a timer.
-- An event with a planned result resolves by itself, and so does one that nobody has called, where its session voids these.
-- Refuses LK000 another time than now, LK003 an event is not open, or the sides of an event are in another state.
-- The plans are generic, and every row is looked up by an index: see place-gated-calls.sql. Planning took most of the time of a single close.
CREATE FUNCTION close_events(
  p_events bigint[], p_fences bigint[], p_at timestamptz, p_paused_at timestamptz, p_actor bigint, p_token bigint
) RETURNS SETOF events LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  closed events[];
  moved int;
BEGIN
  IF p_at NOT BETWEEN game_now() - interval '1 minute' AND game_now() THEN
    PERFORM refuse('LK000', 'is not the time of now');
  END IF;
  WITH ending AS MATERIALIZED (
    SELECT e.id, p.fence,
      least(e.closes_at, coalesce(p_paused_at, p_at)) + make_interval(secs => e.resolve_within_seconds) AS resolve_by,
      e.auto_result IS NOT NULL OR (
        (SELECT s.settings -> 'voidUncalled' FROM sessions s WHERE s.id = e.session_id) = 'true'
        AND (SELECT true FROM spots s WHERE s.event_id = e.id AND s.calls_count > 0 LIMIT 1) IS NULL
      ) IS TRUE AS by_itself
    FROM unnest(p_events, p_fences) AS p(id, fence)
      CROSS JOIN LATERAL (SELECT * FROM events e WHERE e.id = p.id AND e.state = 'open' LIMIT 1) e
  ), updated AS (
    UPDATE events e SET state = 'closed', closed_at = p_at, resolve_by = n.resolve_by,
      next_transition = CASE WHEN n.by_itself THEN 'resolve' END,
      due_at = CASE WHEN n.by_itself AND p_paused_at IS NULL THEN n.resolve_by END,
      remaining_ms = CASE WHEN n.by_itself AND p_paused_at IS NOT NULL
        THEN least(2147483647, ceil(extract(epoch FROM n.resolve_by - p_paused_at) * 1000))::int END,
      schedule_version = schedule_version + 1, version = version + 1, updated_at = p_at, fence = coalesce(n.fence, e.fence)
    FROM ending n WHERE e.id = n.id
    RETURNING e
  )
  SELECT array_agg(u.e ORDER BY array_position(p_events, (u.e).id)) INTO closed FROM updated u;
  IF coalesce(cardinality(closed), 0) <> cardinality(p_events) THEN
    PERFORM refuse('LK003', 'cannot close what is not open');
  END IF;
  UPDATE spots SET state = 'closed', closed_at = p_at WHERE event_id = ANY (p_events) AND state = 'open';
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved <> 2 * cardinality(p_events) THEN
    PERFORM refuse('LK003', 'cannot close sides that are not open');
  END IF;
  -- The holds do not change, so no wallet is locked. Without calls it is not run: that would run the triggers.
  IF EXISTS (SELECT 1 FROM calls WHERE event_id = ANY (p_events) AND state = 'placed') THEN
    UPDATE calls SET state = 'closed', updated_at = game_now() WHERE event_id = ANY (p_events) AND state = 'placed';
  END IF;
  INSERT INTO outbox (kind, payload)
    SELECT 'event_changed', jsonb_build_object('eventId', c.id, 'change', 'close_event')
    FROM unnest(closed) WITH ORDINALITY AS c ORDER BY ordinality;
  -- The times are as JavaScript writes them.
  INSERT INTO audit (actor_id, access_token_id, action, subject_type, subject_id, session_id, before, after)
    SELECT p_actor, p_token, 'close_event', 'event', c.id, c.session_id, about || '{"state": "open"}', about || '{"state": "closed"}'
    FROM unnest(closed) WITH ORDINALITY AS c, jsonb_build_object('result', c.result,
      'opensAt', to_char(c.opens_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'closesAt', to_char(c.closes_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS about
    ORDER BY ordinality;
  RETURN QUERY SELECT * FROM unnest(closed);
END $$;
