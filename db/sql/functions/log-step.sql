-- log_step(): the step of the current transaction in the session log (schema/session-log.ts). Entries of one transaction have
-- the same step, so that a replay shows all of its changes at once.
-- The setting only remembers the step. A step that this transaction has not written itself is not taken from it, so that no
-- client can add to the step of another one.
CREATE FUNCTION log_step() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_step bigint := nullif(current_setting('called_it.log_step', true), '')::bigint;
BEGIN
  IF v_step IS NULL
    OR NOT EXISTS (SELECT 1 FROM session_log WHERE step = v_step AND xmin = pg_current_xact_id()::xid)
  THEN
    v_step := nextval(pg_get_serial_sequence('session_log', 'id'));
    PERFORM set_config('called_it.log_step', v_step::text, true);
  END IF;
  RETURN v_step;
END $$;
