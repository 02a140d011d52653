-- A call keeps the question and the labels that it was placed on. So when the texts of an event with calls are changed, as after a reset,
-- its former texts are kept for the calls until now. The transaction that changes them holds the event's gate, so no call is placed
-- meanwhile. While the round has calls the question stands (check_violation).
CREATE FUNCTION keep_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM calls c WHERE c.event_id = OLD.id AND c.round = OLD.round AND NEW.round = OLD.round AND c.state <> 'soft_destroyed'
  ) THEN
    RAISE EXCEPTION 'somebody has called on event %: its question and labels stand', OLD.id USING ERRCODE = '23514';
  END IF;
  INSERT INTO earlier_texts (event_id, last_call_id, title, true_label, false_label)
    -- The sum keeps Postgres from looking for the last call of the event among all calls, from the newest on.
    SELECT OLD.id, max(c.id + 0), OLD.title, OLD.true_label, OLD.false_label FROM calls c WHERE c.event_id = OLD.id
    HAVING max(c.id + 0) IS NOT NULL
    -- Without a call since the last change, what the calls were placed on is already kept.
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER events_texts_changed AFTER UPDATE ON events FOR EACH ROW
  WHEN ((NEW.title, NEW.description, NEW.true_label, NEW.false_label, NEW.picture)
    IS DISTINCT FROM (OLD.title, OLD.description, OLD.true_label, OLD.false_label, OLD.picture))
  EXECUTE FUNCTION keep_texts();
