-- The close of an open event is not moved into the past once players have called on it (check_violation): they would find their
-- calls closed, and others too late, at a time that nobody has seen. The clock of a paused session stands still. The seconds are
-- for a host who closes an event about now.
CREATE FUNCTION guard_close() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.closes_at < coalesce((SELECT paused_at FROM sessions WHERE id = NEW.session_id), game_now()) - interval '5 seconds'
    AND EXISTS (SELECT 1 FROM calls WHERE event_id = NEW.id AND round = NEW.round AND state = 'placed')
  THEN
    RAISE EXCEPTION 'event % cannot have closed at % already', NEW.id, NEW.closes_at USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER events_close BEFORE UPDATE OF closes_at ON events FOR EACH ROW
  WHEN (OLD.state = 'open' AND NEW.state = 'open' AND NEW.closes_at < OLD.closes_at) EXECUTE FUNCTION guard_close();
