-- grant_max(key, user, moment): the most that a grant with this key of the journal may give this user at this moment, in whole
-- cents; 0 if no rule gives it. An account starts with $100.00; a guest may get less (the setting GUEST_GRANT), and the rest with
-- an account. A player without money is topped up to $10.00, once a UTC day; the day is taken just before the journal is written.
-- A robot gets an allowance of $50.00 for an event. The house adds what is missing to a call of at most $1.00, once for a player and
-- event, in the transaction that places the call a microsecond later (give-house-dollars.sql); this function then gives the call's
-- wager, and no other grant can have such a key. A key is used once, so each of these is given once.
CREATE FUNCTION grant_max(p_key text, p_user bigint, p_at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_key = 'grant-welcome-' || p_user THEN 10000
    WHEN p_key = 'grant-welcome-account-' || p_user THEN 10000 - coalesce((
      SELECT sum(-e.amount_cents) FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id
      WHERE j.idempotency_key = 'grant-welcome-' || p_user AND a.kind = 'promo'
    ), 0)
    WHEN p_key IN (
      format('grant-top-up-%s-%s', p_user, to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
      format('grant-top-up-%s-%s', p_user, to_char((p_at - interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD'))
    ) THEN 1000
    WHEN starts_with(p_key, format('grant-robot-%s-', p_user))
      AND EXISTS (SELECT 1 FROM users WHERE id = p_user AND robot) THEN 5000
    WHEN starts_with(p_key, format('grant-house-%s-', p_user)) THEN coalesce((
      SELECT c.wager_cents FROM calls c
      WHERE c.user_id = p_user AND c.placed_at = p_at + interval '1 microsecond' AND c.wager_cents <= 100
        AND p_key = format('grant-house-%s-%s', p_user, c.event_id) LIMIT 1
    ), 0)
    ELSE 0 END::bigint
$$;
