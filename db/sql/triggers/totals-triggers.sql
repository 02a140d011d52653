-- Only the triggers of users, accounts and entries write the totals: a direct change has trigger depth 0.
CREATE TRIGGER totals_kept BEFORE INSERT OR UPDATE OR DELETE ON totals FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER totals_not_emptied BEFORE TRUNCATE ON totals
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
