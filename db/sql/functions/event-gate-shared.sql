-- event_gate_shared(event): takes the event's gate in shared mode, to place or cancel calls. See event-gate.sql.
-- FOR SHARE on the event's row would not be enough: new placers would overtake a waiting close.
CREATE FUNCTION event_gate_shared(p_event bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock_shared(lock_class(7701, p_event), lock_key(p_event))
$$;
