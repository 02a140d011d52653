-- place_calls(users, spots, wagers, keys): judges and places a batch of calls. Arrays have one element for each call; wagers
-- are whole cents. It waits for the gates and wallets: the processes of earlier releases call it. Those of this one call
-- lock_for_calls and place_gated_calls, which wait for nothing.
-- Returns one row for each call, in the order of the batch. Several calls of one player are judged as if they had arrived one
-- after the other. The row of a call that is placed, now or before under the same key, also has the call, its event and spot, the
-- wallet and the player's metrics: reading them with separate statements would cost ten times as much as the placing.
-- The code is the first of these that applies:
--   signed_out             the player was deactivated or has deleted the account, also while the call waited for a lock
--   replayed, key_reused   the player has used this idempotency key, for the same call or for another one
--   not_found              no such spot, its event is not visible, or the player has no wallet
--   late                   the clock, read while the event's gate is held, is at or past closes_at, also if the event has been
--                          closed by then (late_ms: milliseconds since the close). A pause stops the clock.
--   paused, wrong_state    the session or the event takes no calls, or a host closed the event before closes_at
--   below_min, over_max    the event's limits; over_max counts the player's active calls on the event
--   insufficient           the available balance, and the house adds nothing
--   placed
-- A player's first call in a session also registers the player there. One outbox row announces the whole batch.
-- The house adds nothing to these calls: it may be busy, which the callers of this function do not know.
-- Refuses LK000 for arrays of different lengths.
CREATE FUNCTION place_calls(p_users bigint[], p_spots bigint[], p_wagers bigint[], p_keys text[])
RETURNS TABLE (
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
DECLARE
  gated bigint[];
  gates int;
BEGIN
  PERFORM require_read_committed();
  -- Shared gates, ascending. Events that are not open now are refused anyway; not taking their gates keeps a long settlement
  -- from blocking the batch.
  SELECT array_agg(g.event_id), count(pg_advisory_xact_lock_shared(lock_class(7701, g.event_id), lock_key(g.event_id))) INTO gated, gates
  FROM (
    SELECT DISTINCT s.event_id FROM spots s JOIN events e ON e.id = s.event_id
    WHERE s.id = ANY (p_spots) AND e.state = 'open' ORDER BY 1
  ) g;
  -- Wallets, ascending.
  PERFORM 1 FROM accounts a WHERE a.user_id = ANY (p_users) AND a.kind = 'wallet' ORDER BY a.id FOR NO KEY UPDATE;
  RETURN QUERY SELECT * FROM place_locked_calls(p_users, p_spots, p_wagers, p_keys, gated, false);
END $$;
