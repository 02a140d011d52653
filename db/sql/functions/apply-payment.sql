-- apply_payment(provider, reference, type, amount, currency, provider_ref): books the end of a payment, exactly once.
-- p_type is 'succeeded' or 'failed'; p_amount is in whole cents; p_provider_ref is the provider's id of the money, which a
-- later refund refers to. A success replaces an earlier failure.
-- Returns 'deposited', 'failed', or 'ignored' if the payment had ended before.
-- Refuses LK404 unknown reference, LK005 another amount, currency or type; and LK000 the application's role, unless its transaction
-- has taken a message of the provider (take_message): so there is no deposit without a message to compare with the provider's.
CREATE FUNCTION apply_payment(
  p_provider text, p_reference text, p_type text, p_amount bigint, p_currency text, p_provider_ref text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  p payments;
  j bigint;
BEGIN
  IF NOT has_table_privilege(session_user, 'public.journal', 'UPDATE') AND NOT EXISTS (
    SELECT 1 FROM webhook_events m
    WHERE m.received_at >= transaction_timestamp() AND m.provider = p_provider AND m.xmin = pg_current_xact_id()::xid
  ) THEN
    PERFORM refuse('LK000', 'no message of the provider was taken');
  END IF;
  SELECT * INTO p FROM payments WHERE provider = p_provider AND reference = p_reference FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'no payment has this reference');
  END IF;
  IF p.amount_cents <> p_amount OR p.currency <> p_currency THEN
    PERFORM refuse('LK005', format('the payment is of %s %s, not of %s %s', p.amount_cents, p.currency, p_amount, p_currency));
  END IF;
  IF p_type = 'failed' THEN
    IF p.state <> 'pending' THEN
      RETURN 'ignored';
    END IF;
    UPDATE payments SET state = 'failed', updated_at = clock_timestamp() WHERE id = p.id;
    RETURN 'failed';
  ELSIF p_type = 'succeeded' THEN
    IF p.state NOT IN ('pending', 'failed') THEN
      RETURN 'ignored';
    END IF;
    j := book('deposit', 'deposit-' || p.id, p.user_id, p.amount_cents, 'external', NULL, NULL);
    UPDATE payments
      SET state = 'succeeded', journal_id = j, provider_ref = p_provider_ref, updated_at = clock_timestamp()
      WHERE id = p.id;
    RETURN 'deposited';
  END IF;
  PERFORM refuse('LK005', 'unknown type');
END $$;
