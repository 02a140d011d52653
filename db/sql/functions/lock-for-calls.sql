-- lock_for_calls(users, spots, waited): takes what these calls need, the gates of their events and the players' wallets, and waits for none
-- of them. So an event that is held for long, by a process that is frozen too, delays only its own calls. Arrays have one element for
-- each call. p_waited is as in place_gated_calls.
-- Returns gated, the events whose gates it has taken: place_gated_calls places calls on these alone. And busy, the positions of the
-- calls that must be tried again: another transaction holds the event's gate or waits for it, or holds the player's wallet.
-- Events that are not open now, and were not when a call of the batch arrived, are refused anyway; not taking their gates keeps their
-- settlements apart from the batch.
-- The settings are those of place_gated_calls.
CREATE FUNCTION lock_for_calls(
  p_users bigint[], p_spots bigint[], p_waited int[] DEFAULT NULL, OUT gated bigint[], OUT busy int[]
) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  held bigint[];  -- events
  ready bigint[]; -- players
BEGIN
  PERFORM require_read_committed();
  SELECT array_agg(g.event_id) FILTER (WHERE g.free), array_agg(g.event_id) FILTER (WHERE NOT g.free) INTO gated, held
  FROM (
    SELECT o.event_id, try_event_gate_shared(o.event_id) AS free
    FROM (
      SELECT DISTINCT s.event_id FROM spots s JOIN events e ON e.id = s.event_id
      WHERE s.id = ANY (p_spots) AND (e.state = 'open' OR e.state = 'closed'
        AND e.closed_at > game_now() - (SELECT max(ms) FROM unnest(p_waited) AS ms) * interval '1 millisecond')
    ) o
  ) g;
  SELECT array_agg(w.user_id) INTO ready FROM (
    SELECT a.user_id FROM accounts a WHERE a.user_id = ANY (p_users) AND a.kind = 'wallet' FOR NO KEY UPDATE SKIP LOCKED
  ) w;
  busy := ARRAY(
    SELECT i.ord::int FROM unnest(p_users, p_spots) WITH ORDINALITY AS i(player, spot, ord)
      JOIN LATERAL (SELECT a.id FROM accounts a WHERE a.user_id = i.player AND a.kind = 'wallet' LIMIT 1) a ON true
      LEFT JOIN LATERAL (SELECT s.event_id FROM spots s WHERE s.id = i.spot LIMIT 1) s ON true
    WHERE coalesce(s.event_id = ANY (held), false) OR NOT coalesce(i.player = ANY (ready), false)
  );
END $$;
