-- At commit an event must have the result of its live settlement, and only an open event may have placed calls. So a verb can
-- change the event and its money in either order, but never only one of the two.
CREATE FUNCTION check_event_settled() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_event bigint;
  e events;
BEGIN
  IF TG_TABLE_NAME = 'events' THEN
    v_event := NEW.id;
  ELSE
    v_event := NEW.event_id;
  END IF;
  SELECT * INTO e FROM events WHERE id = v_event;
  IF e.result IS DISTINCT FROM
    (SELECT result FROM settlements WHERE event_id = e.id AND round = e.round AND NOT superseded)
  THEN
    RAISE EXCEPTION 'event % has result % but was not settled so', e.id, coalesce(e.result, 'none')
      USING ERRCODE = '23514';
  END IF;
  IF e.state <> 'open' AND EXISTS (SELECT 1 FROM calls WHERE event_id = e.id AND state = 'placed') THEN
    RAISE EXCEPTION 'event % is % but has placed calls', e.id, e.state USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER events_settled AFTER UPDATE ON events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((NEW.state, NEW.round, NEW.result) IS DISTINCT FROM (OLD.state, OLD.round, OLD.result))
  EXECUTE FUNCTION check_event_settled();

CREATE CONSTRAINT TRIGGER settlements_of_event AFTER INSERT ON settlements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION check_event_settled();
