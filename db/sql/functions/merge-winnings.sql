-- merge_winnings(guest, actor): moves what a merged guest has won to the wallet of its account, and its notifications to the account.
-- A guest has won what was booked on its accounts without grants and earlier merges; a loss counts as 0. So merging ten guests brings
-- what they have won, never ten times the play money of the start: that goes back to promo. Afterwards the guest's accounts are empty.
-- After a correction of one of its results it moves the difference, also back. What the account cannot cover becomes its debt.
-- Returns the journal's id; NULL where there is nothing to move. Its key has the versions of the guest's accounts, so it is made once.
-- Refuses LK003 if the guest is not merged, or holds calls.
CREATE FUNCTION merge_winnings(p_guest bigint, p_actor bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_account constant bigint := (SELECT merged_into FROM users WHERE id = p_guest);
  guest accounts;
  guest_debt accounts;
  wallet accounts;
  debt accounts;
  v_amount bigint; -- above 0: the account gets it
  v_repaid bigint; -- above 0: its debt decreases; below 0: it increases
  v_journal bigint;
BEGIN
  PERFORM require_read_committed();
  PERFORM lock_for_merge(p_guest, v_account);
  SELECT * INTO guest FROM accounts WHERE user_id = p_guest AND kind = 'wallet';
  SELECT * INTO guest_debt FROM accounts WHERE user_id = p_guest AND kind = 'receivable';
  SELECT * INTO wallet FROM accounts WHERE user_id = v_account AND kind = 'wallet';
  SELECT * INTO debt FROM accounts WHERE user_id = v_account AND kind = 'receivable';
  IF wallet.id IS NULL OR guest.held_calls > 0 THEN
    PERFORM refuse('LK003', 'the guest is not merged, or has open calls');
  END IF;
  UPDATE notifications SET user_id = v_account WHERE user_id = p_guest;
  IF guest.posted_cents = 0 AND guest_debt.posted_cents = 0 THEN
    RETURN NULL;
  END IF;

  SELECT greatest(coalesce(sum(e.amount_cents) FILTER (WHERE j.kind NOT IN ('grant', 'merge')), 0), 0) - coalesce((
      SELECT sum(o.amount_cents) FROM entries o WHERE o.account_id IN (wallet.id, debt.id)
        AND o.journal_id = ANY (array_agg(DISTINCT j.id) FILTER (WHERE j.kind = 'merge'))
    ), 0) INTO v_amount
    FROM entries e JOIN journal j ON j.id = e.journal_id WHERE e.account_id IN (guest.id, guest_debt.id);
  INSERT INTO journal (kind, idempotency_key, request_hash, actor_id, reason)
    VALUES ('merge', format('merge-%s-%s-%s', p_guest, guest.version, guest_debt.version), 'merge', p_actor, 'Won as a guest')
    RETURNING id INTO v_journal;
  v_repaid := CASE WHEN v_amount > 0 THEN least(-debt.posted_cents, wallet.posted_cents - wallet.held_cents + v_amount)
    ELSE -greatest(0, wallet.held_cents - wallet.posted_cents - v_amount) END;
  -- As in book(): an uncovered debit is lent first.
  PERFORM post_entries(v_journal,
    ARRAY[guest.id, guest_debt.id, wallet.id, wallet.id, wallet.id, debt.id]
      || ARRAY(SELECT id FROM accounts WHERE user_id IS NULL AND kind = 'promo'),
    ARRAY[-guest.posted_cents, -guest_debt.posted_cents, greatest(-v_repaid, 0), v_amount, -greatest(v_repaid, 0), v_repaid,
      guest.posted_cents + guest_debt.posted_cents - v_amount]);
  INSERT INTO outbox (kind, payload) VALUES ('wallet_changed', jsonb_build_object('userId', v_account));
  RETURN v_journal;
END $$;
