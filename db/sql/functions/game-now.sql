-- game_now(): the clock for calls and closes. The "created at" defaults of the ledger's tables use it too.
-- It is the database's clock (clock_timestamp), unless the connection has set called_it.clock to a time. The demo's seeds and dry runs
-- use that to play sessions at other times through the same verbs. Tests replace the whole function to stop the clock.
-- Only a role that could write the journal by hand may set it, which the application's is not. That is asked only where it is set.
-- A setting of the connection and not a table: so nobody else's clock moves, and reading it costs a statement nothing.
-- Table defaults call it, so it is created before the tables and replaced in place. A new signature needs a migration.
CREATE OR REPLACE FUNCTION game_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN coalesce(current_setting('called_it.clock', true), '') <> '' AND has_table_privilege(session_user, 'public.journal', 'UPDATE')
      THEN current_setting('called_it.clock')::timestamptz
    ELSE clock_timestamp()
  END $$;
