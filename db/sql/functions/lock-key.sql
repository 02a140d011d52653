-- lock_key(id): the second key of a row's advisory lock: the lower 32 bits of the id, as a signed number. See lock-class.sql.
CREATE FUNCTION lock_key(p_id bigint) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ((p_id << 32) >> 32)::int
$$;
