-- settle_event_calls(event, result, actor, effective_at, reason): settle_events for one event. Returns the id of its live settlement.
CREATE FUNCTION settle_event_calls(
  p_event bigint, p_result text, p_actor bigint, p_effective_at timestamptz, p_reason text
) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM settle_events(ARRAY[p_event], ARRAY[p_result], ARRAY[p_effective_at], ARRAY[p_reason], ARRAY[p_actor]);
  RETURN (
    SELECT s.id FROM events e JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
    WHERE e.id = p_event
  );
END $$;
