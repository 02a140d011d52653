-- take_back_play_money(user, reason): takes back the grants of a wallet that was never used.
-- Returns the journal's id; NULL if the wallet is empty. Calls are looked up by player, because that has an index.
-- Refuses LK003 if the user is still active, or the wallet has a call or entries other than grants, LK404 if there is no wallet.
CREATE FUNCTION take_back_play_money(p_user bigint, p_reason text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  wallet accounts;
BEGIN
  PERFORM require_read_committed();
  PERFORM 1 FROM accounts WHERE user_id = p_user OR (user_id IS NULL AND kind = 'promo') ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO wallet FROM accounts WHERE user_id = p_user AND kind = 'wallet';
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'not found');
  END IF;
  IF EXISTS (SELECT 1 FROM users WHERE id = p_user AND deactivated_at IS NULL)
    OR EXISTS (SELECT 1 FROM calls WHERE user_id = p_user) OR EXISTS (
    SELECT 1 FROM entries e JOIN journal j ON j.id = e.journal_id
    WHERE e.account_id IN (SELECT id FROM accounts WHERE user_id = p_user) AND j.kind <> 'grant'
  ) THEN
    PERFORM refuse('LK003', 'the wallet was used');
  END IF;
  IF wallet.posted_cents = 0 THEN
    RETURN NULL;
  END IF;
  RETURN book('grant', 'taken-back-' || p_user, p_user, -wallet.posted_cents, 'promo', NULL, p_reason);
END $$;
