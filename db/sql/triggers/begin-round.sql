-- The counters of a spot belong to its event's round: a new round sets them to zero.
CREATE FUNCTION begin_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE spots SET calls_count = 0, pool_cents = 0 WHERE event_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER events_round_began AFTER UPDATE ON events FOR EACH ROW
  WHEN (NEW.round <> OLD.round) EXECUTE FUNCTION begin_round();
