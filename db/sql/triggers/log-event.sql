-- Writes the public state of an event to the log of its session, whenever it changes. An event that is deleted, or moved to another
-- session, leaves the log of its session with an entry without a state.
-- A new public column goes into the jsonb_build_object, and into both lists of the WHEN.
CREATE FUNCTION log_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.session_id IS NOT NULL
    AND (TG_OP = 'DELETE' OR NEW.session_id IS DISTINCT FROM OLD.session_id)
  THEN
    INSERT INTO session_log (step, session_id, kind, subject_id)
      VALUES (log_step(), OLD.session_id, 'event', OLD.id);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.session_id IS NOT NULL THEN
    INSERT INTO session_log (step, session_id, kind, subject_id, created, detail)
      VALUES (log_step(), NEW.session_id, 'event', NEW.id,
        TG_OP = 'INSERT' OR OLD.session_id IS DISTINCT FROM NEW.session_id, jsonb_build_object(
          'position', NEW.position, 'title', NEW.title, 'description', NEW.description, 'trueLabel', NEW.true_label,
          'falseLabel', NEW.false_label, 'state', NEW.state, 'round', NEW.round, 'result', NEW.result,
          'resultReason', NEW.result_reason, 'pendingResult', NEW.pending_result, 'effectiveAt', NEW.effective_at,
          'durationSeconds', NEW.duration_seconds, 'publishedAt', NEW.published_at, 'opensAt', NEW.opens_at,
          'openedAt', NEW.opened_at, 'closesAt', NEW.closes_at, 'closedAt', NEW.closed_at, 'resolvedAt', NEW.resolved_at,
          'picture', NEW.picture, 'explanation', NEW.explanation));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER events_log_new AFTER INSERT OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION log_event();

CREATE TRIGGER events_log_changed AFTER UPDATE ON events FOR EACH ROW
  WHEN ((OLD.session_id, OLD.position, OLD.title, OLD.description, OLD.true_label, OLD.false_label, OLD.state, OLD.round,
      OLD.result, OLD.result_reason, OLD.pending_result, OLD.effective_at, OLD.duration_seconds, OLD.published_at,
      OLD.opens_at, OLD.opened_at, OLD.closes_at, OLD.closed_at, OLD.resolved_at, OLD.picture, OLD.explanation)
    IS DISTINCT FROM
    (NEW.session_id, NEW.position, NEW.title, NEW.description, NEW.true_label, NEW.false_label, NEW.state, NEW.round,
      NEW.result, NEW.result_reason, NEW.pending_result, NEW.effective_at, NEW.duration_seconds, NEW.published_at,
      NEW.opens_at, NEW.opened_at, NEW.closes_at, NEW.closed_at, NEW.resolved_at, NEW.picture, NEW.explanation))
  EXECUTE FUNCTION log_event();
