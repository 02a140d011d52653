-- Keeps the totals of accounts by kind. They are never deleted (append-only.sql), and apply-entries.sql keeps their balances.
CREATE FUNCTION count_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_total(kind, count(*), 0) FROM added GROUP BY kind;
  RETURN NULL;
END $$;

CREATE TRIGGER accounts_count_new AFTER INSERT ON accounts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_accounts();
