-- grant_play_money(user, amount, key, actor, reason): gives a wallet play money (whole cents, above zero) from promo.
-- Returns the journal's id. Refuses LK005 for an amount that is not above zero, or above what the key gives (grant_max), and the
-- cases of book().
CREATE FUNCTION grant_play_money(p_user bigint, p_amount bigint, p_key text, p_actor bigint, p_reason text)
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF p_amount IS NULL OR p_amount <= 0 THEN
    PERFORM refuse('LK005', 'must be greater than 0');
  END IF;
  IF p_amount > grant_max('grant-' || p_key, p_user, game_now()) THEN
    PERFORM refuse('LK005', 'is more than this grant gives');
  END IF;
  RETURN book('grant', 'grant-' || p_key, p_user, p_amount, 'promo', p_actor, p_reason);
END $$;
