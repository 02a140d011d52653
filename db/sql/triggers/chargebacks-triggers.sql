-- A chargeback starts as asked and keeps its terms. The provider's id and the two journals are each set once and then stay.
CREATE TRIGGER chargebacks_start BEFORE INSERT ON chargebacks FOR EACH ROW
  WHEN (NEW.state <> 'asked') EXECUTE FUNCTION deny_start();

CREATE TRIGGER chargebacks_terms BEFORE UPDATE OF
  id, payment_id, cause, amount_cents, idempotency_key, actor_id, reason, created_at ON chargebacks FOR EACH ROW
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER chargebacks_written_once BEFORE UPDATE ON chargebacks FOR EACH ROW
  WHEN (OLD.provider_ref <> coalesce(NEW.provider_ref, '') OR OLD.journal_id <> coalesce(NEW.journal_id, 0)
    OR OLD.return_journal_id <> coalesce(NEW.return_journal_id, 0)) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER chargebacks_state BEFORE UPDATE OF state ON chargebacks FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('asked', 'taken'), ('asked', 'refused'),
    ('asked', 'returned'), ('refused', 'taken'), ('refused', 'returned'), ('taken', 'returned')))
  EXECUTE FUNCTION deny_transition();
