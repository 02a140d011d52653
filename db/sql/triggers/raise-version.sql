-- raise_version(): counts the edits of a row in its version, which If-Match compares. Playing (calls, pools) is no edit.
CREATE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

CREATE TRIGGER blueprints_version BEFORE UPDATE ON blueprints FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.defaults) IS DISTINCT FROM (NEW.name, NEW.description, NEW.defaults))
  EXECUTE FUNCTION raise_version();

-- The position does not count: reordering is no edit of an event.
CREATE TRIGGER blueprint_events_version BEFORE UPDATE ON blueprint_events FOR EACH ROW
  WHEN ((OLD.title, OLD.description, OLD.true_label, OLD.false_label, OLD.start_mode, OLD.offset_seconds,
      OLD.duration_seconds, OLD.resolve_within_seconds, OLD.min_wager_cents, OLD.max_wager_cents, OLD.auto_result,
      OLD.picture, OLD.explanation, OLD.host_note)
    IS DISTINCT FROM (NEW.title, NEW.description, NEW.true_label, NEW.false_label, NEW.start_mode, NEW.offset_seconds,
      NEW.duration_seconds, NEW.resolve_within_seconds, NEW.min_wager_cents, NEW.max_wager_cents, NEW.auto_result,
      NEW.picture, NEW.explanation, NEW.host_note))
  EXECUTE FUNCTION raise_version();

CREATE TRIGGER users_version BEFORE UPDATE ON users FOR EACH ROW
  WHEN ((OLD.email, OLD.username, OLD.phone, OLD.guest, OLD.confirmed_at, OLD.locked_at, OLD.deactivated_at)
    IS DISTINCT FROM (NEW.email, NEW.username, NEW.phone, NEW.guest, NEW.confirmed_at, NEW.locked_at, NEW.deactivated_at))
  EXECUTE FUNCTION raise_version();
