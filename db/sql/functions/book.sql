-- book(kind, key, user, amount, counter, actor, reason): books one signed amount (whole cents) of one wallet against a
-- system account (p_counter: 'house', 'external' or 'promo'), and writes wallet_changed to the outbox.
-- A credit first repays the player's debt (the receivable). The part of a debit that the wallet cannot cover is added to the
-- debt. Returns the journal's id. The same key with the same request returns the first journal and changes nothing.
-- Refuses LK002 the key belongs to another request, LK005 the amount is zero, LK404 the user has no wallet.
CREATE FUNCTION book(
  p_kind text, p_key text, p_user bigint, p_amount bigint, p_counter text, p_actor bigint, p_reason text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  request text := format('%s:%s:%s', p_kind, p_user, p_amount);
  j journal;
  wallet accounts;
  receivable accounts;
  counter accounts;
  available bigint;
  repaid bigint; -- above 0: the debt decreases; below 0: it increases
BEGIN
  PERFORM require_read_committed();
  IF p_amount IS NULL OR p_amount = 0 THEN
    PERFORM refuse('LK005', 'amount must not be zero');
  END IF;
  INSERT INTO journal (kind, idempotency_key, request_hash, actor_id, reason)
    VALUES (p_kind, p_key, request, p_actor, p_reason)
    ON CONFLICT (idempotency_key) DO NOTHING RETURNING * INTO j;
  IF j.id IS NULL THEN
    SELECT * INTO j FROM journal WHERE idempotency_key = p_key;
    IF j.request_hash <> request THEN
      PERFORM refuse('LK002', 'idempotency key reused');
    END IF;
    RETURN j.id;
  END IF;

  PERFORM 1 FROM accounts WHERE user_id = p_user OR (user_id IS NULL AND kind = p_counter)
    ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO wallet FROM accounts WHERE user_id = p_user AND kind = 'wallet';
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'not found');
  END IF;
  SELECT * INTO receivable FROM accounts WHERE user_id = p_user AND kind = 'receivable';
  SELECT * INTO STRICT counter FROM accounts WHERE user_id IS NULL AND kind = p_counter;

  available := wallet.posted_cents - wallet.held_cents + p_amount;
  repaid := CASE WHEN p_amount > 0 THEN least(-receivable.posted_cents, available)
    ELSE -greatest(0, -available) END;
  -- An uncovered debit is lent first, so that no running balance is ever below the held amount.
  IF repaid < 0 THEN
    PERFORM post_entries(j.id, ARRAY[wallet.id, receivable.id, wallet.id, counter.id],
      ARRAY[-repaid, repaid, p_amount, -p_amount]);
  ELSE
    PERFORM post_entries(j.id, ARRAY[wallet.id, counter.id, wallet.id, receivable.id],
      ARRAY[p_amount, -p_amount, -repaid, repaid]);
  END IF;
  INSERT INTO outbox (kind, payload) VALUES ('wallet_changed', jsonb_build_object('userId', p_user));
  RETURN j.id;
END $$;
