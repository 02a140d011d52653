-- game_now(): the clock for calls and closes. The "created at" defaults of the ledger's tables use it too.
-- It is the database's clock (clock_timestamp), unless the connection has set called_it.clock to a time. The demo's seeds use
-- that to play earlier sessions through the same verbs. Tests replace the whole function to stop the clock.
-- Table defaults call it, so it is created before the tables and replaced in place. A new signature needs a migration.
CREATE OR REPLACE FUNCTION game_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT coalesce(nullif(current_setting('called_it.clock', true), '')::timestamptz, clock_timestamp()) $$;
