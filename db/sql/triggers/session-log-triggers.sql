-- Only the triggers of log-*.sql write the log. A direct INSERT has trigger depth 0, and no setting of a client can change that.
CREATE TRIGGER session_log_written BEFORE INSERT ON session_log FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION deny_start();
