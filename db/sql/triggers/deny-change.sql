-- deny_change(): refuses every change of append-only tables, and every deletion of rows that others follow from.
-- Raises check_violation, also for the owner of the tables.
CREATE FUNCTION deny_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '23514';
END $$;

-- Append-only.
CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_seals
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER session_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON session_log
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

-- Its rows go with their event only, by the foreign key.
CREATE TRIGGER earlier_texts_stay BEFORE UPDATE OR TRUNCATE ON earlier_texts
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

-- Never deleted.
CREATE TRIGGER settlements_no_delete BEFORE DELETE OR TRUNCATE ON settlements
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER calls_no_delete BEFORE DELETE OR TRUNCATE ON calls
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER accounts_no_delete BEFORE DELETE OR TRUNCATE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER payments_no_delete BEFORE DELETE OR TRUNCATE ON payments
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER chargebacks_no_delete BEFORE DELETE OR TRUNCATE ON chargebacks
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
