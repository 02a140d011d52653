-- Only the triggers of events and registrations write the counts. A direct change has trigger depth 0, and no setting of a
-- client can change that.
CREATE TRIGGER session_counts_kept BEFORE INSERT OR UPDATE OR DELETE ON session_counts FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER session_counts_not_emptied BEFORE TRUNCATE ON session_counts
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
