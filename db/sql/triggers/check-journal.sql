-- The entries of a journal must sum to zero. Checked at commit, so that a verb can write them one after the other.
CREATE FUNCTION check_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT coalesce(sum(amount_cents), 0) FROM entries WHERE journal_id = NEW.id) <> 0 THEN
    RAISE EXCEPTION 'journal % does not balance', NEW.id USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER journal_balanced AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_journal();
