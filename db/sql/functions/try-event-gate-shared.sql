-- try_event_gate_shared(event): takes the event's gate in shared mode if that needs no waiting, and returns whether it has it. It has it
-- not while a close waits for the gate, so it never overtakes one. See event-gate.sql.
CREATE FUNCTION try_event_gate_shared(p_event bigint) RETURNS boolean LANGUAGE sql AS $$
  SELECT pg_try_advisory_xact_lock_shared(lock_class(7701, p_event), lock_key(p_event))
$$;
