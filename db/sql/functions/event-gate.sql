-- event_gate(event): takes the event's gate in exclusive mode. Closing, settling, resetting and pausing take it.
-- While it is held, no call of the event is placed or cancelled, and none is half done. It is an advisory lock, released
-- when the transaction ends; taking it again in the same transaction does nothing.
CREATE FUNCTION event_gate(p_event bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(lock_class(7701, p_event), lock_key(p_event))
$$;
