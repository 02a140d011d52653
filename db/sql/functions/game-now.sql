-- game_now(): the clock that judges calls and closes. Every default "created at" of the books uses it too.
-- It is the database's own clock (clock_timestamp), unless the connection has set called_it.clock to a moment: the demo's
-- seeds write history at earlier times that way, and tests replace the whole function to stop the clock.
-- Table defaults call it, so it is created before the tables and replaced in place. A new signature needs a migration.
CREATE OR REPLACE FUNCTION game_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT coalesce(nullif(current_setting('called_it.clock', true), '')::timestamptz, clock_timestamp()) $$;
