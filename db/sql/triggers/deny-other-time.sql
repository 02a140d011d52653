-- deny_other_time(): refuses a line of another time, and one with an id of one's own choice, which could stand behind the seals.
CREATE FUNCTION deny_other_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.created_at BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp()
    AND NEW.id = currval(pg_get_serial_sequence('audit', 'id'))
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a row of audit is of another time than now' USING ERRCODE = '23514';
END $$;

CREATE TRIGGER audit_written_now BEFORE INSERT ON audit FOR EACH ROW WHEN (writes_directly())
  EXECUTE FUNCTION deny_other_time();
