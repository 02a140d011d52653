-- Writes the public state of a session to the session log, whenever it changes. A new public column goes into the
-- jsonb_build_object, and into both lists of the WHEN.
CREATE FUNCTION log_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_log (step, session_id, kind, subject_id, created, detail)
    VALUES (log_step(), NEW.id, 'session', NEW.id, TG_OP = 'INSERT', jsonb_build_object(
      'name', NEW.name, 'state', NEW.state, 'active', NEW.active, 'settings', NEW.settings, 'startsAt', NEW.starts_at,
      'startedAt', NEW.started_at, 'pausedAt', NEW.paused_at, 'stoppedAt', NEW.stopped_at));
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_log_new AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION log_session();

CREATE TRIGGER sessions_log_changed AFTER UPDATE ON sessions FOR EACH ROW
  WHEN ((OLD.name, OLD.state, OLD.active, OLD.settings, OLD.starts_at, OLD.started_at, OLD.paused_at, OLD.stopped_at)
    IS DISTINCT FROM
    (NEW.name, NEW.state, NEW.active, NEW.settings, NEW.starts_at, NEW.started_at, NEW.paused_at, NEW.stopped_at))
  EXECUTE FUNCTION log_session();
