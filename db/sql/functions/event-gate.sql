-- lock_class(class, id): the first of the two keys of a row's advisory lock; lock_key has the other. That one has the lower 32 bits of
-- the id, and this one the class with the rest of the id above it. So rows have keys of their own for ids below 2^47 and classes below
-- 65536. An id below 2^31 is its own key beside the class alone: processes of every release exclude each other there.
CREATE FUNCTION lock_class(p_class int, p_id bigint) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT p_class | (((p_id >> 32) & 32767) << 16)::int
$$;

-- lock_key(id): the second key of a row's advisory lock: the lower 32 bits of the id, as a signed number. See lock_class.
CREATE FUNCTION lock_key(p_id bigint) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ((p_id << 32) >> 32)::int
$$;

-- event_gate(event): takes the event's gate in exclusive mode. Closing, settling, resetting and pausing take it.
-- While it is held, no call of the event is placed or cancelled, and none is half done. It is an advisory lock, released
-- when the transaction ends; taking it again in the same transaction does nothing.
CREATE FUNCTION event_gate(p_event bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(lock_class(7701, p_event), lock_key(p_event))
$$;

-- event_gate_shared(event): takes the event's gate in shared mode, to place or cancel calls.
-- FOR SHARE on the event's row would not be enough: new placers would overtake a waiting close.
CREATE FUNCTION event_gate_shared(p_event bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock_shared(lock_class(7701, p_event), lock_key(p_event))
$$;

-- try_event_gate_shared(event): takes the event's gate in shared mode if that needs no waiting, and returns whether it has it. It has it
-- not while a close waits for the gate, so it never overtakes one.
CREATE FUNCTION try_event_gate_shared(p_event bigint) RETURNS boolean LANGUAGE sql AS $$
  SELECT pg_try_advisory_xact_lock_shared(lock_class(7701, p_event), lock_key(p_event))
$$;
