-- Settlement lines can be added only in the transaction of their settlement, for calls of its event and round
-- (check_violation). Checked for all rows of a statement at once, instead of by foreign keys, and every row is looked up by an index:
-- see apply-entries.sql.
CREATE FUNCTION check_lines_sealed() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM (SELECT DISTINCT settlement_id FROM added) l
      LEFT JOIN settlements s ON s.id = l.settlement_id LEFT JOIN journal j ON j.id = s.journal_id
    WHERE j.tx IS DISTINCT FROM pg_current_xact_id()
  ) THEN
    RAISE EXCEPTION 'settlement is sealed' USING ERRCODE = '23514';
  END IF;
  IF EXISTS (
    WITH settled AS MATERIALIZED (
      SELECT s.id, s.event_id, s.round FROM settlements s WHERE s.id IN (SELECT settlement_id FROM added)
    )
    SELECT 1 FROM settled s JOIN added l ON l.settlement_id = s.id
    WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.id = l.call_id AND c.event_id = s.event_id AND c.round = s.round)
  ) THEN
    RAISE EXCEPTION 'line is not of a call of its event' USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER lines_sealed AFTER INSERT ON settlement_lines REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_lines_sealed();
