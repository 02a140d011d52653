-- A journal belongs to the transaction that inserts it, because only that one can add entries to it.
CREATE TRIGGER journal_transaction BEFORE INSERT ON journal FOR EACH ROW
  WHEN (NEW.tx <> pg_current_xact_id()) EXECUTE FUNCTION deny_start();
