-- place_locked_calls(users, spots, wagers, keys, gated, house): as place_gated_calls, where all calls of the batch ask the house, or
-- none. The processes of the release before call it: their pages do not say whether a call asks.
CREATE FUNCTION place_locked_calls(
  p_users bigint[], p_spots bigint[], p_wagers bigint[], p_keys text[], p_gated bigint[], p_house boolean DEFAULT true
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
BEGIN
  RETURN QUERY SELECT * FROM place_gated_calls(p_users, p_spots, p_wagers, p_keys,
    array_fill(p_house, ARRAY[cardinality(p_users)]), p_gated);
END $$;
