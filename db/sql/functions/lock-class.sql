-- lock_class(class, id): the first of the two keys of a row's advisory lock; lock_key has the other. That one has the lower 32 bits of
-- the id, and this one the class with the rest of the id above it. So rows have keys of their own for ids below 2^47 and classes below
-- 65536. An id below 2^31 is its own key beside the class alone: processes of every release exclude each other there.
CREATE FUNCTION lock_class(p_class int, p_id bigint) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT p_class | (((p_id >> 32) & 32767) << 16)::int
$$;
