-- A call starts as placed, or as closed if its event closed after it had arrived, and keeps its terms. Its state changes only from placed to
-- closed to resolved, or from one of the first two to soft_destroyed; a player cancels it only while it is placed. A destroyed call never changes, and the end of a call stays.
-- No trigger is BEFORE UPDATE of a row: with one of these on a table, Postgres locks and logs each row once more before it updates it.
CREATE TRIGGER calls_start BEFORE INSERT ON calls FOR EACH ROW
  WHEN (NEW.state NOT IN ('placed', 'closed')) EXECUTE FUNCTION deny_start();

CREATE TRIGGER calls_terms BEFORE UPDATE OF
  id, user_id, account_id, event_id, spot_id, round, wager_cents, idempotency_key, placed_at ON calls FOR EACH STATEMENT
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER calls_destroyed AFTER UPDATE ON calls FOR EACH ROW
  WHEN (OLD.state = 'soft_destroyed') EXECUTE FUNCTION deny_transition();

CREATE TRIGGER calls_ended AFTER UPDATE OF ended_at ON calls FOR EACH ROW
  WHEN (NEW.ended_at IS DISTINCT FROM OLD.ended_at AND OLD.ended_at IS NOT NULL) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER calls_transition AFTER UPDATE OF state ON calls FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN
    (('placed', 'closed'), ('closed', 'resolved'), ('placed', 'soft_destroyed'), ('closed', 'soft_destroyed'))
    OR (OLD.state = 'closed' AND NEW.state = 'soft_destroyed' AND NEW.refunded_by IS NULL))
  EXECUTE FUNCTION deny_transition();
