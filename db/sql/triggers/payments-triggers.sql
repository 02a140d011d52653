-- A payment starts as pending and keeps its terms. A refunded payment can become succeeded again, when a refund failed or a
-- dispute was won.
CREATE TRIGGER payments_start BEFORE INSERT ON payments FOR EACH ROW
  WHEN (NEW.state <> 'pending') EXECUTE FUNCTION deny_start();

CREATE TRIGGER payments_terms BEFORE UPDATE OF id, user_id, provider, reference, amount_cents, currency ON payments
  FOR EACH ROW WHEN ((OLD.id, OLD.user_id, OLD.provider, OLD.reference, OLD.amount_cents, OLD.currency)
    IS DISTINCT FROM (NEW.id, NEW.user_id, NEW.provider, NEW.reference, NEW.amount_cents, NEW.currency))
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER payments_state BEFORE UPDATE OF state ON payments FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('pending', 'succeeded'), ('pending', 'failed'),
    ('failed', 'succeeded'), ('succeeded', 'refunded'), ('refunded', 'succeeded'))) EXECUTE FUNCTION deny_transition();
