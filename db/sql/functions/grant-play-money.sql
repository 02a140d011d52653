-- grant_play_money(user, amount, key, actor, reason): gives a wallet play money (whole cents, above zero) from promo.
-- Returns the journal's id. Refuses LK005 for an amount that is not above zero, or above what the key gives (grant_max), for a top-up
-- of a wallet that holds calls, or to more than a top-up gives, and the cases of book().
CREATE FUNCTION grant_play_money(p_user bigint, p_amount bigint, p_key text, p_actor bigint, p_reason text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  max_cents constant bigint := grant_max('grant-' || p_key, p_user, game_now());
BEGIN
  IF p_amount IS NULL OR p_amount <= 0 THEN
    PERFORM refuse('LK005', 'must be greater than 0');
  END IF;
  IF p_amount > max_cents THEN
    PERFORM refuse('LK005', 'is more than this grant gives');
  END IF;
  IF starts_with(p_key, 'top-up-') THEN
    PERFORM lock_for_grant(p_user);
    IF EXISTS (
      SELECT 1 FROM accounts WHERE user_id = p_user AND kind = 'wallet' AND (held_calls > 0 OR posted_cents + p_amount > max_cents)
    ) THEN
      PERFORM refuse('LK005', 'is not a top-up of an empty wallet');
    END IF;
  END IF;
  RETURN book('grant', 'grant-' || p_key, p_user, p_amount, 'promo', p_actor, p_reason);
END $$;
