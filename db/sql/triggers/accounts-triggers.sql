-- Accounts start empty and keep their owner and kind. Only the triggers of calls and entries change their balances and counters.
-- No trigger is BEFORE UPDATE of a row: see calls-triggers.sql.
CREATE TRIGGER accounts_start BEFORE INSERT ON accounts FOR EACH ROW
  WHEN (NEW.posted_cents <> 0 OR NEW.held_cents <> 0 OR NEW.version <> 0 OR NEW.revision <> 0 OR NEW.moves_count <> 0
    OR NEW.recorded_calls <> 0 OR NEW.cancelled_calls <> 0 OR NEW.resolved_calls <> 0)
  EXECUTE FUNCTION deny_start();

-- A direct UPDATE of a balance has trigger depth 0, and no setting of a client can change that.
CREATE TRIGGER accounts_balances BEFORE UPDATE OF posted_cents, held_cents, held_calls, version, revision, moves_count,
  recorded_calls, cancelled_calls, resolved_calls ON accounts
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER accounts_owner_fixed BEFORE UPDATE OF id, kind, user_id ON accounts FOR EACH STATEMENT
  EXECUTE FUNCTION deny_transition();

-- Lock tokens only increase. They are microseconds of a clock: one from the future would refuse all work from now on.
CREATE TRIGGER accounts_fence AFTER UPDATE OF fence ON accounts FOR EACH ROW
  WHEN (NEW.fence < OLD.fence OR NEW.fence > extract(epoch FROM clock_timestamp() + interval '1 day') * 1000000)
  EXECUTE FUNCTION deny_transition();
