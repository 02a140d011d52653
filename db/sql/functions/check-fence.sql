-- check_fence(kind, id, token): stores the newest lock token that has written to an event, a session or a wallet.
-- p_kind is 'event', 'session' or 'wallet'; p_id is the id of the row (for 'wallet': of its user); p_token is the token of the
-- lock (draw_lock_tokens).
-- Refuses LK009 (stale lock) for a token older than the stored one: the lock has expired and another process holds it.
-- Raises LK000 for another kind.
CREATE FUNCTION check_fence(p_kind text, p_id bigint, p_token bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CASE p_kind
    WHEN 'event' THEN UPDATE events SET fence = p_token WHERE id = p_id AND fence <= p_token;
    WHEN 'session' THEN UPDATE sessions SET fence = p_token WHERE id = p_id AND fence <= p_token;
    WHEN 'wallet' THEN
      UPDATE accounts SET fence = p_token WHERE user_id = p_id AND kind = 'wallet' AND fence <= p_token;
    ELSE PERFORM refuse('LK000', 'unknown kind of fence');
  END CASE;
  IF NOT FOUND THEN
    PERFORM refuse('LK009', 'stale lock');
  END IF;
END $$;
