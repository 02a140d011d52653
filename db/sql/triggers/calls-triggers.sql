-- A call starts as placed and keeps its terms. Its state changes only from placed to closed to resolved, or from one of the
-- first two to soft_destroyed. A destroyed call never changes, and the end of a call stays.
CREATE TRIGGER calls_start BEFORE INSERT ON calls FOR EACH ROW
  WHEN (NEW.state <> 'placed') EXECUTE FUNCTION deny_start();

CREATE TRIGGER calls_terms BEFORE UPDATE OF
  id, user_id, account_id, event_id, spot_id, round, wager_cents, idempotency_key, placed_at ON calls FOR EACH ROW
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER calls_destroyed BEFORE UPDATE ON calls FOR EACH ROW
  WHEN (OLD.state = 'soft_destroyed') EXECUTE FUNCTION deny_transition();

CREATE TRIGGER calls_ended BEFORE UPDATE OF ended_at ON calls FOR EACH ROW
  WHEN (NEW.ended_at IS DISTINCT FROM OLD.ended_at AND OLD.ended_at IS NOT NULL) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER calls_transition BEFORE UPDATE OF state ON calls FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN
    (('placed', 'closed'), ('closed', 'resolved'), ('placed', 'soft_destroyed'), ('closed', 'soft_destroyed')))
  EXECUTE FUNCTION deny_transition();
