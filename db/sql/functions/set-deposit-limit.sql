-- set_deposit_limit(user, days, cents): a player's own limit for deposits. NULL for p_cents: none. A first or lower limit holds at
-- once, and takes back a higher one that was asked for. A higher one, or none, is only noted the first time. Asked for again, at least
-- 24 hours later, it becomes the limit.
-- It takes the player's wallet, so no checkout is counted meanwhile.
CREATE FUNCTION set_deposit_limit(p_user bigint, p_days int, p_cents bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l deposit_limits;
BEGIN
  PERFORM lock_wallet(p_user);
  SELECT * INTO l FROM deposit_limits WHERE user_id = p_user AND days = p_days FOR NO KEY UPDATE;
  IF l.amount_cents IS NULL OR p_cents <= l.amount_cents OR (l.next_at <= game_now() AND l.next_cents IS NOT DISTINCT FROM p_cents) THEN
    INSERT INTO deposit_limits (user_id, days, amount_cents) VALUES (p_user, p_days, p_cents)
      ON CONFLICT (user_id, days) DO UPDATE
      SET amount_cents = p_cents, next_cents = NULL, next_at = NULL, updated_at = game_now();
  ELSIF l.next_at IS NULL OR l.next_cents IS DISTINCT FROM p_cents THEN
    UPDATE deposit_limits SET next_cents = p_cents, next_at = game_now() + interval '24 hours', updated_at = game_now()
      WHERE user_id = p_user AND days = p_days;
  END IF;
END $$;
