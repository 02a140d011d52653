-- Keeps session_counts.events_count: the events of each session that are played or still can be, without those that are hidden
-- or destroyed. A new event is neither (events-triggers.sql).
CREATE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE session_counts SET events_count = 0;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO session_counts AS c (session_id, events_count)
      SELECT session_id, count(*) FROM added WHERE session_id IS NOT NULL GROUP BY 1 ORDER BY 1
      ON CONFLICT (session_id) DO UPDATE SET events_count = c.events_count + excluded.events_count;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE session_counts c SET events_count = c.events_count - r.n
      FROM (SELECT session_id, count(*) AS n FROM removed WHERE state NOT IN ('hidden', 'soft_destroyed') GROUP BY 1) r
      WHERE c.session_id = r.session_id;
  ELSE
    -- One event is hidden, shown or destroyed, or moved to another session.
    INSERT INTO session_counts AS c (session_id, events_count)
      SELECT i.session_id, (i.session_id IS NOT DISTINCT FROM NEW.session_id
          AND NEW.state NOT IN ('hidden', 'soft_destroyed'))::int
      FROM unnest(ARRAY[OLD.session_id, NEW.session_id]) AS i(session_id)
      WHERE i.session_id IS NOT NULL GROUP BY 1 ORDER BY 1
      ON CONFLICT (session_id) DO UPDATE SET events_count = c.events_count + excluded.events_count
        - (c.session_id IS NOT DISTINCT FROM OLD.session_id
          AND OLD.state NOT IN ('hidden', 'soft_destroyed'))::int;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER events_count_new AFTER INSERT ON events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_events();

CREATE TRIGGER events_count_removed AFTER DELETE ON events REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_events();

CREATE TRIGGER events_count_none AFTER TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION count_events();

CREATE TRIGGER events_count_changed AFTER UPDATE OF state, session_id ON events FOR EACH ROW
  WHEN (OLD.session_id IS DISTINCT FROM NEW.session_id
    OR (OLD.state IN ('hidden', 'soft_destroyed')) <> (NEW.state IN ('hidden', 'soft_destroyed')))
  EXECUTE FUNCTION count_events();
