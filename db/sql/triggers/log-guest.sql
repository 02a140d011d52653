-- Writes a player's change from guest to account to the session log, without a session: guests may be left out of all leaderboards.
CREATE FUNCTION log_guest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_log (step, session_id, kind, subject_id, detail)
    VALUES (log_step(), NULL, 'guest', NEW.id, jsonb_build_object('guest', NEW.guest));
  RETURN NULL;
END $$;

CREATE TRIGGER users_log_guest AFTER UPDATE OF guest ON users FOR EACH ROW WHEN (OLD.guest <> NEW.guest)
  EXECUTE FUNCTION log_guest();
