-- unused_deposits(user): what the player has paid in within 14 days and not used, payment by payment, in cents. Calls and other debits
-- use first what was available before the deposit: so of it as much is used as they exceed that. A call counts with its whole wager,
-- unless its player has taken it back; a correction that takes back what it has won uses nothing more. What goes back of this deposit or a
-- later one uses nothing of it. What is asked back counts as gone, and nothing is unused that is not available now.
-- Example: 100.00 were there, 20.00 are paid in, calls of 105.00 are placed: 15.00 are unused.
CREATE FUNCTION unused_deposits(p_user bigint) RETURNS TABLE (payment_id bigint, reference text, unused_cents bigint, until timestamptz)
LANGUAGE sql VOLATILE AS $$
  SELECT p.id, p.reference, least(w.posted_cents - w.held_cents, p.amount_cents - p.refunded_cents - coalesce((
      SELECT sum(c.amount_cents) FROM chargebacks c WHERE c.payment_id = p.id AND c.state = 'asked'
    ), 0) - greatest(0, used.cents - (d.balance_after_cents - d.held_after_cents - d.amount_cents)))::bigint,
    d.created_at + interval '14 days'
  FROM payments p JOIN accounts w ON w.user_id = p.user_id AND w.kind = 'wallet'
    JOIN LATERAL (
      SELECT e.* FROM entries e WHERE e.journal_id = p.journal_id AND e.account_id = w.id ORDER BY e.account_version LIMIT 1
    ) d ON d.created_at > game_now() - interval '14 days'
    CROSS JOIN LATERAL (
      SELECT (SELECT coalesce(sum(c.wager_cents), 0) FROM calls c
          WHERE c.user_id = p_user AND c.placed_at >= d.created_at AND (c.state <> 'soft_destroyed' OR c.refunded_by IS NOT NULL))
        + (SELECT coalesce(-sum(e.amount_cents), 0) FROM entries e JOIN journal j ON j.id = e.journal_id
          WHERE e.account_id = w.id AND e.account_version > d.account_version AND e.amount_cents < 0 AND j.kind <> 'settle'
            AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.id = e.call_id AND c.placed_at >= d.created_at)
            AND NOT EXISTS (
              SELECT 1 FROM chargebacks c JOIN payments q ON q.id = c.payment_id WHERE c.journal_id = j.id AND q.journal_id >= p.journal_id
            )) AS cents
    ) used
  WHERE p.user_id = p_user AND p.state = 'succeeded'
$$;

-- take_unused(user, reference, key): takes from the wallet what of this payment is unused, and stores the refund that the provider is
-- asked for afterwards: until then it has no provider's id. The same key is the same refund.
-- Returns the chargeback's id.
-- Refuses LK404 unknown payment of the player, LK003 a closed account, or nothing is unused.
CREATE FUNCTION take_unused(p_user bigint, p_reference text, p_key text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  p payments;
  v_id bigint;
  v_cents bigint;
BEGIN
  SELECT * INTO p FROM payments WHERE reference = p_reference AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'no payment has this reference');
  END IF;
  SELECT id INTO v_id FROM chargebacks WHERE payment_id = p.id AND idempotency_key = p_key;
  IF FOUND THEN
    RETURN v_id;
  END IF;
  -- As book takes them: a call that is placed meanwhile waits, and is judged after this.
  PERFORM 1 FROM accounts WHERE user_id = p_user OR (user_id IS NULL AND kind = 'external') ORDER BY id FOR NO KEY UPDATE;
  IF EXISTS (SELECT 1 FROM users u WHERE u.id = p_user AND u.deactivated_at IS NOT NULL) THEN
    PERFORM refuse('LK003', 'the account is closed');
  END IF;
  SELECT u.unused_cents INTO v_cents FROM unused_deposits(p_user) u WHERE u.payment_id = p.id AND u.unused_cents > 0;
  IF NOT FOUND THEN
    PERFORM refuse('LK003', 'nothing of this payment is unused');
  END IF;
  INSERT INTO chargebacks (payment_id, cause, amount_cents, idempotency_key, actor_id, reason)
    VALUES (p.id, 'refund', v_cents, p_key, p_user, 'Not used') RETURNING id INTO v_id;
  PERFORM apply_chargeback(p.provider, p.reference, NULL, v_id, 'refund', 'taken', v_cents, p.currency);
  RETURN v_id;
END $$;
