-- A settlement keeps its terms. Only its progress changes (from the highest user id down), and it is superseded once.
CREATE TRIGGER settlements_start BEFORE INSERT ON settlements FOR EACH ROW
  WHEN (NEW.superseded) EXECUTE FUNCTION deny_start();

CREATE TRIGGER settlements_terms BEFORE UPDATE OF
  id, event_id, round, version, result, effective_at, journal_id, pool_cents, winning_pool_cents, refunded_cents,
  calls_count, last_remainder, last_call_id, created_at ON settlements FOR EACH ROW EXECUTE FUNCTION deny_transition();

CREATE TRIGGER settlements_progress BEFORE UPDATE OF paid_calls_count, paid_from_user_id, paid_at ON settlements
  FOR EACH ROW
  WHEN (OLD.paid_at IS NOT NULL OR NEW.paid_calls_count < OLD.paid_calls_count
    OR coalesce(NEW.paid_from_user_id >= OLD.paid_from_user_id, OLD.paid_from_user_id IS NOT NULL))
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER settlements_superseded BEFORE UPDATE OF superseded ON settlements FOR EACH ROW
  WHEN (OLD.superseded AND NOT NEW.superseded) EXECUTE FUNCTION deny_transition();
