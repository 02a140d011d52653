-- merge_guest(guest, account, actor): makes a guest a part of an account. The books keep the guest's wallet and calls; merge_winnings
-- moves what it has won. Results and scores are counted for the account from now on: where both have called an event, their results are
-- added up, as those of two calls of one player are. Shared links, registrations and reminders become the account's. Guests do not chat.
-- Refuses LK003 for a guest or an account that is none, is deactivated or merged, and for a guest with open calls.
CREATE FUNCTION merge_guest(p_guest bigint, p_account bigint, p_actor bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_name text;
  v_look text;
BEGIN
  PERFORM lock_for_merge(p_guest, p_account);
  PERFORM 1 FROM users WHERE id IN (p_guest, p_account) ORDER BY id FOR NO KEY UPDATE;
  SELECT username, username_look INTO v_name, v_look FROM users
    WHERE id = p_account AND NOT guest AND NOT robot AND deactivated_at IS NULL;
  UPDATE users SET merged_into = p_account, username = v_name, username_look = v_look, avatar = NULL,
      deactivated_at = clock_timestamp(), updated_at = clock_timestamp()
    WHERE id = p_guest AND guest AND NOT robot AND deactivated_at IS NULL AND v_name IS NOT NULL;
  IF NOT FOUND THEN
    PERFORM refuse('LK003', 'not a guest and an account');
  END IF;
  PERFORM merge_winnings(p_guest, p_actor);

  INSERT INTO results AS r SELECT event_id, p_account, session_id, resolved_at, calls_count, net_cents, wagered_cents,
      returned_cents, refunded FROM results WHERE user_id = p_guest
    ON CONFLICT (event_id, user_id) DO UPDATE SET calls_count = r.calls_count + excluded.calls_count,
      net_cents = r.net_cents + excluded.net_cents, wagered_cents = r.wagered_cents + excluded.wagered_cents,
      returned_cents = r.returned_cents + excluded.returned_cents, refunded = r.refunded AND excluded.refunded;
  DELETE FROM results WHERE user_id = p_guest;
  INSERT INTO scores SELECT p_account, g.session_id, count(*), count(*) FILTER (WHERE r.net_cents > 0),
      count(*) FILTER (WHERE r.net_cents < 0), count(*) FILTER (WHERE r.refunded), sum(r.calls_count), sum(r.net_cents),
      sum(r.wagered_cents), sum(r.returned_cents), 0, 0, max(r.resolved_at), max(r.event_id), true
    FROM scores g JOIN results r ON r.user_id = p_account AND (g.session_id IS NULL OR r.session_id = g.session_id)
    WHERE g.user_id = p_guest GROUP BY g.session_id
    ON CONFLICT (user_id, session_id) DO UPDATE SET played = excluded.played, wins = excluded.wins, losses = excluded.losses,
      refunded = excluded.refunded, calls_count = excluded.calls_count, net_cents = excluded.net_cents,
      wagered_cents = excluded.wagered_cents, returned_cents = excluded.returned_cents, stale = true;
  DELETE FROM scores WHERE user_id = p_guest;
  PERFORM recount_streaks();

  -- A break goes on.
  INSERT INTO breaks (user_id, period, ends_at, resumed)
    SELECT p_account, period, ends_at, true FROM breaks WHERE user_id = p_guest AND ends_at > greatest(game_now(), coalesce(
      (SELECT max(ends_at) FROM breaks WHERE user_id = p_account), '-infinity')) ORDER BY ends_at DESC LIMIT 1;
  UPDATE shares SET user_id = p_account WHERE user_id = p_guest;
  UPDATE reminders g SET user_id = p_account WHERE user_id = p_guest AND NOT EXISTS (
    SELECT 1 FROM reminders o WHERE o.session_id = g.session_id AND o.user_id = p_account);
  UPDATE registrations g SET user_id = p_account, display_name = v_name WHERE user_id = p_guest AND NOT EXISTS (
    SELECT 1 FROM registrations o WHERE o.session_id = g.session_id AND o.user_id = p_account);
  DELETE FROM reminders WHERE user_id = p_guest;
  -- Last, because the counts of sessions are after the wallets in the order of locks.
  DELETE FROM registrations WHERE user_id = p_guest;
END $$;
