-- A payment begins pending, keeps its terms, and moves only along the lines that apply_payment knows.
CREATE TRIGGER payments_start BEFORE INSERT ON payments FOR EACH ROW
  WHEN (NEW.state <> \x27pending\x27) EXECUTE FUNCTION deny_start();
CREATE TRIGGER payments_terms BEFORE UPDATE OF id, user_id, provider, reference, amount_cents, currency ON payments
  FOR EACH ROW WHEN ((OLD.id, OLD.user_id, OLD.provider, OLD.reference, OLD.amount_cents, OLD.currency)
    IS DISTINCT FROM (NEW.id, NEW.user_id, NEW.provider, NEW.reference, NEW.amount_cents, NEW.currency))
  EXECUTE FUNCTION deny_transition();
CREATE TRIGGER payments_state BEFORE UPDATE OF state ON payments FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN ((\x27pending\x27, \x27succeeded\x27), (\x27pending\x27, \x27failed\x27),
    (\x27failed\x27, \x27succeeded\x27), (\x27succeeded\x27, \x27refunded\x27))) EXECUTE FUNCTION deny_transition();
CREATE TRIGGER payments_no_delete BEFORE DELETE OR TRUNCATE ON payments
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
--> statement-breakpoint

-- What a provider says of a payment, applied once: the same message again, or one that is overtaken, changes nothing.
-- A refusal rolls the note of the message back too, so that the provider\x27s next attempt is taken.
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
    RETURN \x27duplicate\x27;
  END IF;
  SELECT * INTO p FROM payments WHERE provider = p_provider AND reference = p_reference FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse(\x27LK404\x27, \x27unknown payment\x27);
  END IF;
  IF p.amount_cents <> p_amount OR p.currency <> p_currency THEN
    PERFORM refuse(\x27LK005\x27, format(\x27payment %s is of %s %s, not of %s %s\x27, p.id, p.amount_cents, p.currency, p_amount, p_currency));
  END IF;
  IF p_type = \x27failed\x27 THEN
    IF p.state <> \x27pending\x27 THEN
      RETURN \x27ignored\x27;
    END IF;
    UPDATE payments SET state = \x27failed\x27, updated_at = clock_timestamp() WHERE id = p.id;
    RETURN \x27failed\x27;
  ELSIF p_type = \x27succeeded\x27 THEN
    -- Success wins over an earlier failure, and never counts twice.
    IF p.state NOT IN (\x27pending\x27, \x27failed\x27) THEN
      RETURN \x27ignored\x27;
    END IF;
    j := book(\x27deposit\x27, \x27deposit-\x27 || p.id, p.user_id, p.amount_cents, \x27external\x27, NULL, NULL);
    UPDATE payments SET state = \x27succeeded\x27, journal_id = j, updated_at = clock_timestamp() WHERE id = p.id;
    RETURN \x27deposited\x27;
  ELSIF p_type = \x27refunded\x27 THEN
    IF p.state = \x27refunded\x27 THEN
      RETURN \x27ignored\x27;
    ELSIF p.state <> \x27succeeded\x27 THEN
      PERFORM refuse(\x27LK003\x27, \x27refund before the deposit\x27);
    END IF;
    j := book(\x27chargeback\x27, \x27chargeback-\x27 || p.id, p.user_id, -p.amount_cents, \x27external\x27, NULL, NULL);
    UPDATE payments SET state = \x27refunded\x27, chargeback_id = j, updated_at = clock_timestamp() WHERE id = p.id;
    RETURN \x27charged_back\x27;
  END IF;
  PERFORM refuse(\x27LK005\x27, \x27unknown type\x27);
END $$;
