-- place_gated_calls(users, spots, wagers, keys, house, gated, waited): judges and places a batch of calls, while the transaction holds the gates of
-- the events in gated, and the wallets of these users (lock_for_calls). An event that opens after the gates were taken is refused, because
-- it is not gated. The other arrays have one element for each call; wagers are whole cents. waited has the milliseconds since each call
-- arrived at its process, and is NULL for a process of release 0.4.0, whose calls are judged as they are placed.
-- Returns one row for each call, in the order of the batch. Several calls of one player are judged as if they had arrived one
-- after the other. The row of a call that is placed, now or before under the same key, also has the call, its event and spot, the
-- wallet and the player's metrics: reading them with separate statements would cost ten times as much as the placing.
-- The code is the first of these that applies:
--   signed_out             the player was deactivated or has deleted the account, also while the call waited for a lock
--   replayed, key_reused   the player has used this idempotency key, for the same call or for another one
--   not_found              no such spot, its event is not visible, or the player has no wallet
--   late                   the call arrived at or past closes_at, by the clock read while the event's gate is held, also if the event
--                          has been closed by then (late_ms: milliseconds since the close). A pause stops the clock.
--   paused, wrong_state    the session or the event takes no calls, a host closed the event before closes_at and before the call
--                          arrived, or the call arrived in time and something is decided (judge-calls.sql)
--   below_min, over_max    the event's limits; over_max counts the player's active calls on the event
--   insufficient           the available balance, and the house adds nothing
--   placed
-- A player's first call in a session also registers the player there. One outbox row announces the whole batch.
-- p_house is true where a call asks the house to add what is missing (judge-calls.sql). That
-- needs the account promo, which a grant locks before the wallets; so its lock is tried without waiting, and while another transaction
-- holds it such a call is busy.
-- Refuses LK000 for arrays of different lengths.
--
-- The plan is generic: with array parameters Postgres would plan at every call, which is half of the time of a single call. The
-- plan can be made while the tables are empty. So sequential scans are off, and every lookup is LATERAL ... LIMIT 1, because a
-- plain join is planned as a scan of the whole index of calls. The settings also apply to the functions called from here.
CREATE FUNCTION place_gated_calls(
  p_users bigint[], p_spots bigint[], p_wagers bigint[], p_keys text[], p_house boolean[], p_gated bigint[],
  p_waited int[] DEFAULT NULL
) RETURNS TABLE (
  ord int, code text, call_id bigint, late_ms float8,
  user_id bigint, event_id bigint, spot_id bigint, state text, wager_cents bigint, outcome text, payout_cents bigint,
  refunded_by text, placed_at timestamptz, side text, event_title text, event_state text, true_label text, false_label text,
  closes_at timestamptz, resolved_at timestamptz, session_id bigint, session_slug text, session_name text,
  session_paused_at timestamptz,
  account_id bigint, posted_cents bigint, held_cents bigint, held_calls int, owed_cents bigint, revision bigint,
  calls_count int, wins int, losses int, refunded int, wagered_cents bigint, returned_cents bigint, current_streak int,
  best_streak int
) LANGUAGE plpgsql ROWS 64
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  n int := cardinality(p_users);
  at timestamptz := game_now();
  judged record; -- what judge_calls returns
  housed int[];  -- the positions of the calls that the house adds to
  k int;
BEGIN
  IF n IS DISTINCT FROM cardinality(p_spots) OR n IS DISTINCT FROM cardinality(p_wagers)
    OR n IS DISTINCT FROM cardinality(p_keys) OR n IS DISTINCT FROM cardinality(p_house)
    OR n IS DISTINCT FROM coalesce(cardinality(p_waited), n)
  THEN
    PERFORM refuse('LK000', 'arrays differ in length');
  END IF;

  -- 1. Judge all calls on a snapshot newer than the locks.
  judged := judge_calls(p_users, p_spots, p_wagers, p_keys, p_house, p_gated, p_waited, at);
  housed := ARRAY(
    SELECT i.ord FROM unnest(judged.v_code, p_wagers, judged.v_available) WITH ORDINALITY AS i(code, wager, available, ord)
    WHERE i.code = 'placed' AND i.wager > i.available ORDER BY 1
  );
  IF housed <> '{}' THEN
    PERFORM 1 FROM accounts a WHERE a.user_id IS NULL AND a.kind = 'promo' FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      FOREACH k IN ARRAY housed LOOP
        judged.v_code[k] := 'busy';
        judged.v_call[k] := NULL;
      END LOOP;
    ELSE
      PERFORM give_house_dollars(array_agg(p_users[h] ORDER BY h), array_agg(judged.v_account[h] ORDER BY h),
        array_agg(judged.v_event[h] ORDER BY h), array_agg(judged.v_round[h] ORDER BY h),
        array_agg(p_wagers[h] - judged.v_available[h] ORDER BY h), array_agg(judged.v_dated[h] ORDER BY h)) FROM unnest(housed) AS h;
    END IF;
  END IF;

  -- 2. Write. The trigger on calls changes the held amounts, and the CHECK of accounts is the last check.
  IF 'placed' = ANY (judged.v_code) THEN
    INSERT INTO calls (id, user_id, account_id, event_id, spot_id, round, state, wager_cents, idempotency_key, placed_at,
        updated_at)
      OVERRIDING SYSTEM VALUE
      SELECT i.id, i.player, i.account, i.event, i.spot, i.round, CASE WHEN i.closed THEN 'closed' ELSE 'placed' END, i.wager, i.key,
        i.dated, at
      FROM unnest(judged.v_call, p_users, judged.v_account, judged.v_event, p_spots, judged.v_round, judged.v_closed, p_wagers,
          p_keys, judged.v_dated, judged.v_code) AS i(id, player, account, event, spot, round, closed, wager, key, dated, code)
      WHERE i.code = 'placed';
    IF array_remove(judged.v_session, NULL) <> '{}' THEN
      INSERT INTO registrations (session_id, user_id, display_name, created_at)
        SELECT DISTINCT i.session, u.id, u.username, at
        FROM unnest(judged.v_session, p_users, judged.v_code) AS i(session, player, code)
          JOIN LATERAL (SELECT u.id, u.username FROM users u WHERE u.id = i.player LIMIT 1) u ON true
        WHERE i.code = 'placed' AND i.session IS NOT NULL
        ORDER BY 1, 2
        ON CONFLICT ON CONSTRAINT registrations_once DO NOTHING;
    END IF;
    INSERT INTO outbox (kind, payload)
      SELECT 'calls_placed', jsonb_build_object('callIds', jsonb_agg(i.id))
      FROM unnest(judged.v_call, judged.v_code) AS i(id, code) WHERE i.code = 'placed';
  END IF;

  -- 3. Read the details. A separate statement, because only a statement that starts after the insert sees the new rows.
  RETURN QUERY
    SELECT i.ord::int, i.code, i.call, i.late,
      c.user_id, c.event_id, c.spot_id, c.state, c.wager_cents, c.outcome, c.payout_cents, c.refunded_by, c.placed_at,
      s.side, coalesce(q.title, e.title), e.state, coalesce(q.true_label, e.true_label),
      coalesce(q.false_label, e.false_label), e.closes_at, e.resolved_at, e.session_id,
      z.slug, z.name, z.paused_at,
      w.id, w.posted_cents, w.held_cents, w.held_calls, -r.posted_cents, w.revision,
      t.calls_count, t.wins, t.losses, t.refunded, t.wagered_cents, t.returned_cents, t.current_streak, t.best_streak
    FROM unnest(judged.v_code, judged.v_call, judged.v_late) WITH ORDINALITY AS i(code, call, late, ord)
      LEFT JOIN LATERAL (
        SELECT * FROM calls c WHERE c.id = i.call AND i.code IN ('placed', 'replayed') LIMIT 1
      ) c ON true
      LEFT JOIN LATERAL (SELECT s.side FROM spots s WHERE s.id = c.spot_id LIMIT 1) s ON true
      LEFT JOIN LATERAL (SELECT * FROM events e WHERE e.id = c.event_id LIMIT 1) e ON true
      -- A call that was placed before keeps what it was placed on.
      LEFT JOIN LATERAL (
        SELECT q.title, q.true_label, q.false_label FROM earlier_texts q
        WHERE i.code = 'replayed' AND q.event_id = c.event_id AND q.last_call_id >= c.id ORDER BY q.last_call_id LIMIT 1
      ) q ON true
      LEFT JOIN LATERAL (SELECT z.slug, z.name, z.paused_at FROM sessions z WHERE z.id = e.session_id LIMIT 1) z ON true
      LEFT JOIN LATERAL (SELECT * FROM accounts w WHERE w.id = c.account_id LIMIT 1) w ON true
      LEFT JOIN LATERAL (
        SELECT r.posted_cents FROM accounts r WHERE r.user_id = c.user_id AND r.kind = 'receivable' LIMIT 1
      ) r ON true
      LEFT JOIN LATERAL (SELECT * FROM scores t WHERE t.user_id = c.user_id AND t.session_id IS NULL LIMIT 1) t ON true
    ORDER BY i.ord;
END $$;
