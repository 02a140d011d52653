-- Writes exclusions from leaderboards, and their ends, to the session log. One from all leaderboards has no session.
CREATE FUNCTION log_exclusion() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  x exclusions := coalesce(NEW, OLD);
BEGIN
  INSERT INTO session_log (step, session_id, kind, subject_id, detail)
    VALUES (log_step(), x.session_id, 'exclusion', x.user_id, jsonb_build_object('excluded', TG_OP = 'INSERT'));
  RETURN NULL;
END $$;

CREATE TRIGGER exclusions_log AFTER INSERT OR DELETE ON exclusions FOR EACH ROW EXECUTE FUNCTION log_exclusion();
