-- resolve_events(events, fences, results, effective_ats, reasons, actors, token, at): settles these events with settle_events, gives them
-- their results, and writes the fact and the audit entry of each, in the order given. Returns their new rows in this order. The caller
-- has checked the transition, holds the events' gates, and marks the winning spots.
-- p_fences has the token of each event's lock, or NULL. p_at is the time, read behind the gates. p_actors are the admins who
-- have decided, NULL is a timer; p_token is the access token of the one who asks. A correction keeps the first times.
-- Refuses LK000 another time than now, and what settle_events refuses.
CREATE FUNCTION resolve_events(
  p_events bigint[], p_fences bigint[], p_results text[], p_effective_ats timestamptz[], p_reasons text[], p_actors bigint[],
  p_token bigint, p_at timestamptz
) RETURNS SETOF events LANGUAGE plpgsql AS $$
DECLARE
  v_states text[];  -- before
  v_results text[];
  resolved events[];
BEGIN
  IF p_at NOT BETWEEN game_now() - interval '1 minute' AND game_now() THEN
    PERFORM refuse('LK000', 'is not the time of now');
  END IF;
  PERFORM settle_events(p_events, p_results, p_effective_ats, p_reasons, p_actors);
  SELECT array_agg(e.state ORDER BY p.position), array_agg(e.result ORDER BY p.position) INTO v_states, v_results
    FROM events e CROSS JOIN LATERAL (SELECT array_position(p_events, e.id) AS position) p WHERE e.id = ANY (p_events);
  WITH updated AS (
    UPDATE events e SET state = 'resolved', result = d.result, result_reason = d.reason, effective_at = d.effective_at,
      pending_result = NULL, pending_reason = NULL, resolved_at = coalesce(e.resolved_at, p_at),
      decided_at = coalesce(e.decided_at, p_at), decided_by_id = d.actor, next_transition = NULL, due_at = NULL,
      remaining_ms = NULL, schedule_version = schedule_version + 1, version = version + 1, updated_at = p_at,
      fence = coalesce(d.fence, e.fence)
    FROM unnest(p_events, p_fences, p_results, p_effective_ats, p_reasons, p_actors)
      AS d(id, fence, result, effective_at, reason, actor)
    WHERE e.id = d.id
    RETURNING e
  )
  SELECT array_agg(u.e ORDER BY array_position(p_events, (u.e).id)) INTO resolved FROM updated u;
  INSERT INTO outbox (kind, payload)
    SELECT 'event_changed', jsonb_build_object('eventId', r.id, 'change', 'resolve')
    FROM unnest(resolved) WITH ORDINALITY AS r ORDER BY ordinality;
  -- The times are as JavaScript writes them.
  INSERT INTO audit (actor_id, access_token_id, action, subject_type, subject_id, session_id, before, after, reason)
    SELECT r.decided_by_id, p_token, 'resolve', 'event', r.id, r.session_id,
      about || jsonb_build_object('state', v_states[ordinality], 'result', v_results[ordinality]),
      about || jsonb_build_object('state', r.state, 'result', r.result), r.result_reason
    FROM unnest(resolved) WITH ORDINALITY AS r, jsonb_build_object(
      'opensAt', to_char(r.opens_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'closesAt', to_char(r.closes_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS about
    ORDER BY ordinality;
  RETURN QUERY SELECT * FROM unnest(resolved);
END $$;
