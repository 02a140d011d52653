-- A spot can be destroyed only while it has no active call (check_violation).
CREATE FUNCTION guard_hidden_spot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM calls WHERE event_id = OLD.event_id AND spot_id = OLD.id AND state IN ('placed', 'closed'))
  THEN
    RAISE EXCEPTION 'spot % has active calls', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER spots_hide BEFORE UPDATE OF state ON spots FOR EACH ROW
  WHEN (NEW.state = 'soft_destroyed' AND OLD.state <> 'soft_destroyed') EXECUTE FUNCTION guard_hidden_spot();
