-- A payment begins pending, keeps its terms, and moves only along the lines that apply_payment knows.
CREATE TRIGGER payments_start BEFORE INSERT ON payments FOR EACH ROW
  WHEN (NEW.state <> 'pending') EXECUTE FUNCTION deny_start();
CREATE TRIGGER payments_terms BEFORE UPDATE OF id, user_id, provider, reference, amount_cents, currency ON payments
  FOR EACH ROW WHEN ((OLD.id, OLD.user_id, OLD.provider, OLD.reference, OLD.amount_cents, OLD.currency)
    IS DISTINCT FROM (NEW.id, NEW.user_id, NEW.provider, NEW.reference, NEW.amount_cents, NEW.currency))
  EXECUTE FUNCTION deny_transition();
CREATE TRIGGER payments_state BEFORE UPDATE OF state ON payments FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('pending', 'succeeded'), ('pending', 'failed'),
    ('failed', 'succeeded'), ('succeeded', 'refunded'))) EXECUTE FUNCTION deny_transition();
CREATE TRIGGER payments_no_delete BEFORE DELETE OR TRUNCATE ON payments
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
--> statement-breakpoint

-- What a provider says of a payment, applied once: the same message again, or one that is overtaken, changes nothing.
-- A refusal rolls the note of the message back too, so that the provider's next attempt is taken.
CREATE FUNCTION apply_payment(
  p_provider text, p_message text, p_sha256 text, p_reference text, p_type text, p_amount bigint, p_currency text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  p payments;
  j bigint;
BEGIN
  -- A twin that is still on its way is waited for.
  INSERT INTO webhook_events (provider, provider_event_id, payload_sha256)
    VALUES (p_provider, p_message, p_sha256) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN 'duplicate';
  END IF;
  SELECT * INTO p FROM payments WHERE provider = p_provider AND reference = p_reference FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'unknown payment');
  END IF;
  IF p.amount_cents <> p_amount OR p.currency <> p_currency THEN
    PERFORM refuse('LK005', format('payment %s is of %s %s, not of %s %s', p.id, p.amount_cents, p.currency, p_amount, p_currency));
  END IF;
  IF p_type = 'failed' THEN
    IF p.state <> 'pending' THEN
      RETURN 'ignored';
    END IF;
    UPDATE payments SET state = 'failed', updated_at = clock_timestamp() WHERE id = p.id;
    RETURN 'failed';
  ELSIF p_type = 'succeeded' THEN
    -- Success wins over an earlier failure, and never counts twice.
    IF p.state NOT IN ('pending', 'failed') THEN
      RETURN 'ignored';
    END IF;
    j := book('deposit', 'deposit-' || p.id, p.user_id, p.amount_cents, 'external', NULL, NULL);
    UPDATE payments SET state = 'succeeded', journal_id = j, updated_at = clock_timestamp() WHERE id = p.id;
    RETURN 'deposited';
  ELSIF p_type = 'refunded' THEN
    IF p.state = 'refunded' THEN
      RETURN 'ignored';
    ELSIF p.state <> 'succeeded' THEN
      PERFORM refuse('LK003', 'refund before the deposit');
    END IF;
    j := book('chargeback', 'chargeback-' || p.id, p.user_id, -p.amount_cents, 'external', NULL, NULL);
    UPDATE payments SET state = 'refunded', chargeback_id = j, updated_at = clock_timestamp() WHERE id = p.id;
    RETURN 'charged_back';
  END IF;
  PERFORM refuse('LK005', 'unknown type');
END $$;
