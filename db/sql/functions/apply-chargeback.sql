-- apply_chargeback(provider, reference, ref, asked, cause, state, amount, currency): takes a refund or dispute from the
-- player's wallet (p_state 'taken') or returns it ('returned'), each exactly once, in any order of the messages.
-- To the wallet both are the same, so both are chargebacks.
-- A chargeback is looked up by the provider's id of it (p_ref). If an admin has requested it and the provider's answer is not
-- stored yet, it is looked up by its row (p_asked). p_amount is in whole cents.
-- Returns 'charged_back', 'reinstated', 'ignored' for a repeated message, or 'never_taken' if it was returned before it was
-- taken: then no money moves, and it cannot be taken later.
-- Refuses LK404 unknown reference, LK003 the payment has no deposit yet, LK005 another currency or amount, or more than is
-- left of the payment.
CREATE FUNCTION apply_chargeback(
  p_provider text, p_reference text, p_ref text, p_asked bigint, p_cause text, p_state text, p_amount bigint,
  p_currency text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  p payments;
  c chargebacks;
  j bigint;
BEGIN
  SELECT * INTO p FROM payments WHERE provider = p_provider AND reference = p_reference FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'no payment has this reference');
  ELSIF p.state NOT IN ('succeeded', 'refunded') THEN
    PERFORM refuse('LK003', 'the deposit has not come yet');
  ELSIF p.currency <> p_currency OR p_amount <= 0 THEN
    PERFORM refuse('LK005', format('the payment is of %s %s, not of %s %s', p.amount_cents, p.currency, p_amount, p_currency));
  END IF;

  SELECT * INTO c FROM chargebacks WHERE payment_id = p.id AND provider_ref = p_ref;
  IF NOT FOUND THEN
    SELECT * INTO c FROM chargebacks WHERE payment_id = p.id AND id = p_asked AND provider_ref IS NULL;
  END IF;
  IF c.id IS NULL THEN
    INSERT INTO chargebacks (payment_id, cause, amount_cents, provider_ref)
      VALUES (p.id, p_cause, p_amount, p_ref) RETURNING * INTO c;
  ELSIF c.amount_cents <> p_amount THEN
    PERFORM refuse('LK005', format('the %s is of %s, not of %s', c.cause, c.amount_cents, p_amount));
  ELSIF c.provider_ref IS NULL THEN
    UPDATE chargebacks SET provider_ref = p_ref WHERE id = c.id;
  END IF;

  IF p_state = 'taken' THEN
    IF c.state IN ('taken', 'returned') THEN
      RETURN 'ignored';
    ELSIF p.refunded_cents + p_amount > p.amount_cents THEN
      PERFORM refuse('LK005', format('only %s of %s are left to take back, not %s', p.amount_cents - p.refunded_cents,
        p.amount_cents, p_amount));
    END IF;
    j := book('chargeback', 'take-back-' || c.id, p.user_id, -p_amount, 'external', c.actor_id, c.reason);
    UPDATE chargebacks SET state = 'taken', journal_id = j, updated_at = clock_timestamp() WHERE id = c.id;
    UPDATE payments
      SET refunded_cents = refunded_cents + p_amount,
        state = CASE WHEN refunded_cents + p_amount = amount_cents THEN 'refunded' ELSE 'succeeded' END,
        updated_at = clock_timestamp()
      WHERE id = p.id;
    RETURN 'charged_back';
  ELSIF p_state = 'returned' THEN
    IF c.state = 'returned' THEN
      RETURN 'ignored';
    ELSIF c.state <> 'taken' THEN
      UPDATE chargebacks SET state = 'returned', updated_at = clock_timestamp() WHERE id = c.id;
      RETURN 'never_taken';
    END IF;
    j := book('chargeback', 'give-back-' || c.id, p.user_id, p_amount, 'external', c.actor_id, c.reason);
    UPDATE chargebacks SET state = 'returned', return_journal_id = j, updated_at = clock_timestamp() WHERE id = c.id;
    UPDATE payments SET refunded_cents = refunded_cents - p_amount, state = 'succeeded', updated_at = clock_timestamp()
      WHERE id = p.id;
    RETURN 'reinstated';
  END IF;
  PERFORM refuse('LK005', 'unknown state');
END $$;
