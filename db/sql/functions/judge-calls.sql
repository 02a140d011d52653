-- judge_calls(users, spots, wagers, keys, house, gated, waited, at): decides the outcome of each call of a batch. place_gated_calls calls
-- it while it holds the gates (p_gated: their events) and the wallets. p_at is the time when the gates were taken.
-- Arrays have one element for each call, in the order of the batch; wagers are whole cents. The codes are described in
-- place-gated-calls.sql.
-- Returns one row of arrays. v_base is the code before limits and balance are checked (NULL for none), v_session the session that
-- the player is not registered in yet (NULL for none), v_remaining the part of the event's limit that is left for the player (NULL
-- for no limit), v_late the milliseconds from the close to the arrival, of late calls, v_dated the time of the call's row, and v_closed
-- whether it starts as closed. A placed call already has the id of its future row.
-- A call arrived at p_at less what it has waited, at most 10 s (p_waited, milliseconds). Only the database's clock judges: a process says how
-- long, by a clock that nobody sets, and never when. The bound is for a process that lies. A call of before the close is placed after it
-- while nothing is decided: no result, also none that waits to be paid, and no void of an event that nobody had called at the close.
-- It is dated by its arrival, so that every call is of the time in which its event was open; others by p_at, as their wallet's moves are.
-- A private session is unknown to those who have not joined it and do not host it, and every session to those whom a host has removed (not_found).
-- A locked session takes no call of those who have not joined it and do not run it (wrong_state, which every release knows).
-- Who is on a break places none (wrong_state too).
-- Of a placed call that costs more than v_available the house adds the rest, if the call asks for it (p_house): the player has less
-- than $1.00 available and no active call, the wager is at most $1.00, the session's setting houseDollar is not false, and the house
-- has added nothing for this player and event before.
-- Every lookup is LATERAL ... LIMIT 1: see place-gated-calls.sql.
CREATE FUNCTION judge_calls(
  p_users bigint[], p_spots bigint[], p_wagers bigint[], p_keys text[], p_house boolean[], p_gated bigint[], p_waited int[],
  p_at timestamptz, OUT v_base text[], OUT v_code text[], OUT v_call bigint[], OUT v_account bigint[], OUT v_event bigint[],
  OUT v_session bigint[], OUT v_round int[], OUT v_available bigint[], OUT v_remaining bigint[], OUT v_late float8[],
  OUT v_dated timestamptz[], OUT v_closed boolean[]
) LANGUAGE plpgsql AS $$
DECLARE
  waited_max constant interval := '10 seconds';
  again int[];        -- positions of the calls that must be judged one by one
  v_housed boolean[]; -- the house adds what is missing, if the player has placed no earlier call of the batch
BEGIN
  WITH input AS MATERIALIZED (
    SELECT *, p_at - least(greatest(waited, 0) * interval '1 millisecond', waited_max) AS arrived
    FROM unnest(p_users, p_spots, p_wagers, p_keys, p_house, p_waited) WITH ORDINALITY AS i(player, spot, wager, key, asks, waited, ord)
  ), looked_up AS MATERIALIZED (
    SELECT i.*, a.id AS account, a.posted_cents - a.held_cents AS available, c.id AS prior,
      e.id AS event, e.round, least(e.closes_at, e.closed_at) AS cut_off, e.state = 'closed' AS closed,
      CASE WHEN e.state = 'closed' OR p_at >= e.closes_at THEN greatest(i.arrived, e.opened_at) ELSE p_at END AS dated,
      CASE WHEN r.id IS NULL THEN e.session_id END AS new_in,
      CASE WHEN e.max_wager_cents IS NOT NULL THEN e.max_wager_cents - (
        SELECT coalesce(sum(u.wager_cents), 0) FROM calls u
        WHERE u.event_id = e.id AND u.user_id = i.player AND u.round = e.round AND u.state IN ('placed', 'closed')
      ) END::bigint AS remaining,
      CASE
        WHEN u.deactivated_at IS NOT NULL THEN 'signed_out'
        WHEN c.id IS NOT NULL THEN
          CASE WHEN c.spot_id = i.spot AND c.wager_cents = i.wager THEN 'replayed' ELSE 'key_reused' END
        WHEN a.id IS NULL OR e.id IS NULL OR e.state IN ('draft', 'hidden', 'soft_destroyed') THEN 'not_found'
        WHEN x.id IS NOT NULL OR r.id IS NULL AND z.settings @> '{"private": true}'
          AND NOT EXISTS (SELECT 1 FROM user_roles h WHERE h.user_id = i.player AND h.role = 'admin')
          AND NOT EXISTS (SELECT 1 FROM session_hosts h WHERE h.user_id = i.player AND h.session_id = e.session_id) THEN 'not_found'
        WHEN r.id IS NULL AND z.settings @> '{"locked": true}'
          AND NOT EXISTS (SELECT 1 FROM user_roles h WHERE h.user_id = i.player AND h.role = 'admin')
          AND NOT EXISTS (SELECT 1 FROM session_hosts h WHERE h.user_id = i.player AND h.session_id = e.session_id) THEN 'wrong_state'
        WHEN k.id IS NOT NULL THEN 'wrong_state'
        -- The clock comes before the states, so that a call after the close is late also where the timer was faster.
        WHEN e.state IN ('open', 'closed', 'resolved') AND least(z.paused_at, i.arrived) >= e.closes_at THEN 'late'
        WHEN z.state = 'paused' AND e.state IN ('visible', 'open') THEN 'paused'
        WHEN NOT CASE e.state
            WHEN 'open' THEN s.state = 'open'
            WHEN 'closed' THEN s.state = 'closed' AND coalesce(i.arrived >= e.opened_at AND i.arrived < e.closed_at, false)
              AND e.pending_result IS NULL AND (e.auto_result IS NOT NULL OR e.next_transition IS NULL)
            ELSE false END
          OR z.state <> 'running' OR NOT coalesce(e.id = ANY (p_gated), false) THEN 'wrong_state'
        WHEN i.wager < e.min_wager_cents THEN 'below_min'
        WHEN i.wager > 100000000 THEN 'over_max'
      END AS base,
      i.asks AND a.held_calls = 0 AND i.wager <= 100 AND i.wager > a.posted_cents
        AND coalesce(z.settings ->> 'houseDollar', 'true') <> 'false'
        AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.idempotency_key = format('grant-house-%s-%s', i.player, e.id)) AS housed
    FROM input i
      LEFT JOIN LATERAL (SELECT u.deactivated_at FROM users u WHERE u.id = i.player LIMIT 1) u ON true
      LEFT JOIN LATERAL (
        SELECT a.id, a.posted_cents, a.held_cents, a.held_calls FROM accounts a
        WHERE a.user_id = i.player AND a.kind = 'wallet' LIMIT 1
      ) a ON true
      LEFT JOIN LATERAL (SELECT s.event_id, s.state FROM spots s WHERE s.id = i.spot LIMIT 1) s ON true
      LEFT JOIN LATERAL (SELECT * FROM events e WHERE e.id = s.event_id LIMIT 1) e ON true
      LEFT JOIN LATERAL (SELECT z.state, z.paused_at, z.settings FROM sessions z WHERE z.id = e.session_id LIMIT 1) z ON true
      LEFT JOIN LATERAL (
        SELECT r.id FROM registrations r WHERE r.session_id = e.session_id AND r.user_id = i.player LIMIT 1
      ) r ON true
      LEFT JOIN LATERAL (
        SELECT x.id FROM removed_players x WHERE x.session_id = e.session_id AND x.user_id = i.player LIMIT 1
      ) x ON true
      LEFT JOIN LATERAL (SELECT b.id FROM breaks b WHERE b.user_id = i.player AND b.ends_at > p_at LIMIT 1) k ON true
      LEFT JOIN LATERAL (
        SELECT c.id, c.spot_id, c.wager_cents FROM calls c
        WHERE c.user_id = i.player AND c.idempotency_key = i.key LIMIT 1
      ) c ON true
  ), judged AS (
    SELECT f.*,
      CASE
        WHEN base IS NOT NULL THEN base
        WHEN sum(wager) FILTER (WHERE base IS NULL) OVER (PARTITION BY player, event ORDER BY ord) > remaining
          THEN 'over_max'
        WHEN sum(wager) FILTER (WHERE base IS NULL) OVER (PARTITION BY player ORDER BY ord) > available
          AND NOT (housed AND count(*) OVER (PARTITION BY player) = 1) THEN 'insufficient'
        ELSE 'placed'
      END AS verdict,
      count(*) OVER (PARTITION BY player) AS player_calls,
      count(*) OVER (PARTITION BY player, key) AS key_calls
    FROM looked_up f
  )
  SELECT array_agg(base ORDER BY ord), array_agg(verdict ORDER BY ord),
    array_agg(CASE WHEN verdict = 'placed' THEN nextval('calls_id_seq') ELSE prior END ORDER BY ord),
    array_agg(account ORDER BY ord), array_agg(event ORDER BY ord), array_agg(new_in ORDER BY ord),
    array_agg(round ORDER BY ord), array_agg(available ORDER BY ord), array_agg(remaining ORDER BY ord),
    array_agg(CASE WHEN verdict = 'late' THEN round(extract(epoch FROM arrived - cut_off) * 1000, 1) END::float8
      ORDER BY ord),
    array_agg(dated ORDER BY ord), array_agg(closed ORDER BY ord),
    array_agg(housed ORDER BY ord),
    -- A refused call must not count for the later calls of its player. So if a running sum refuses a call, or if a key
    -- occurs twice, all calls of that player are judged one by one.
    array_agg(ord::int ORDER BY player, ord) FILTER (
      WHERE player_calls > 1 AND (base IS NULL OR key_calls > 1 AND prior IS NULL) AND player IN (
        SELECT j.player FROM judged j WHERE j.player_calls > 1 AND (j.key_calls > 1 OR j.base IS NULL AND j.verdict <> 'placed')
      )
    )
  INTO v_base, v_code, v_call, v_account, v_event, v_session, v_round, v_available, v_remaining, v_late, v_dated,
    v_closed, v_housed, again
  FROM judged;

  IF again IS NOT NULL THEN
    SELECT j.v_code, j.v_call INTO v_code, v_call
      FROM judge_calls_one_by_one(again, p_users, p_spots, p_wagers, p_keys, v_base, v_event, v_available, v_remaining,
        v_housed, v_code, v_call) j;
  END IF;
END $$;
