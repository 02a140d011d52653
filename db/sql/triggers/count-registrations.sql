-- Keeps session_counts.registrations_count, once for each statement. The row of a session is made by its first registration or
-- event. It is locked last: after the session, the wallets and the spots, several sessions in ascending order.
CREATE FUNCTION count_registrations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE session_counts SET registrations_count = 0;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO session_counts AS c (session_id, registrations_count)
      SELECT session_id, count(*) FROM added GROUP BY 1 ORDER BY 1
      ON CONFLICT (session_id) DO UPDATE SET registrations_count = c.registrations_count + excluded.registrations_count;
  ELSE
    PERFORM 1 FROM session_counts WHERE session_id IN (SELECT session_id FROM removed) ORDER BY session_id
      FOR NO KEY UPDATE;
    UPDATE session_counts c SET registrations_count = c.registrations_count - r.n
      FROM (SELECT session_id, count(*) AS n FROM removed GROUP BY 1) r WHERE c.session_id = r.session_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER registrations_count_new AFTER INSERT ON registrations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_registrations();

CREATE TRIGGER registrations_count_removed AFTER DELETE ON registrations REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_registrations();

CREATE TRIGGER registrations_count_none AFTER TRUNCATE ON registrations
  FOR EACH STATEMENT EXECUTE FUNCTION count_registrations();

-- A registration keeps its session.
CREATE TRIGGER registrations_terms BEFORE UPDATE OF session_id ON registrations FOR EACH ROW
  EXECUTE FUNCTION deny_transition();
