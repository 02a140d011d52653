-- new_join_code(): a join code of a session (db/lists/join-code.ts), as nobody can guess it. It is the default of sessions.join_code,
-- whose unique index refuses the code of another session. So it is created before the tables and replaced in place.
-- A byte has 4 more values than a multiple of 28: the first 4 letters come in 3.9 of 100, the others in 3.5.
CREATE OR REPLACE FUNCTION new_join_code() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT string_agg(substr('23456789BCDFGHJKMNPQRSTVWXYZ', get_byte(random.bytes, n) % 28 + 1, 1), '')
  FROM (SELECT uuid_send(gen_random_uuid()) AS bytes OFFSET 0) random, generate_series(0, 5) AS n
$$;
