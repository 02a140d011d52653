-- The clock that judges calls and closes. Everywhere but in tests and in the demo's seeds it is the database's own;
-- there, "SET called_it.clock" on one connection lets history be written at another time.
CREATE FUNCTION game_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT coalesce(nullif(current_setting('called_it.clock', true), '')::timestamptz, clock_timestamp()) $$;
