-- payouts(event, round, result, effective_at): computes the payout of every call of a round for a result. Writes nothing.
-- Whole cents. Returns one row for each call: its payout and its outcome ('won', 'lost', 'refunded').
-- The pool is shared among the winners by their wagers. Example: 100 cents for wagers of 1 and 2 are 33 and 67; the cents
-- left after rounding down go to the largest remainders, then to the lowest call ids. All calls are refunded if the
-- result is 'void', nobody won, or everybody won. Calls placed at or after effective_at are refunded too.
-- Calls that are still placed count too, so that a result can be previewed while the event is open; settling refuses such calls
-- before it computes payouts. src/play/calls/compute-payouts.ts has the same rule, and a test compares the two. "Recompute" checks
-- the paid amounts with that one, so that an error in this function cannot confirm itself.
-- payouts_with_cents, with which it is decided, also returns last_remainder: of the last call that gets one of the cents left after
-- rounding down its remainder, of all others NULL.
CREATE FUNCTION payouts_with_cents(p_event bigint, p_round int, p_result text, p_effective_at timestamptz)
RETURNS TABLE (call_id bigint, payout_cents bigint, outcome text, last_remainder bigint) LANGUAGE sql STABLE AS $$
  WITH c AS MATERIALIZED (
    SELECT c.id, c.wager_cents AS wager, s.side = p_result AS won,
      p_result <> 'void' AND (p_effective_at IS NULL OR c.placed_at < p_effective_at) AS counts
    FROM calls c JOIN spots s ON s.id = c.spot_id AND s.event_id = p_event
    WHERE c.event_id = p_event AND c.round = p_round AND c.state IN ('placed', 'closed', 'resolved')
  ), total AS MATERIALIZED (
    SELECT coalesce(sum(wager), 0)::numeric AS pool, coalesce(sum(wager) FILTER (WHERE won), 0)::numeric AS winning
    FROM c WHERE counts
  ), share AS MATERIALIZED (
    SELECT c.id, t.pool, div(t.pool * c.wager, t.winning) AS base, mod(t.pool * c.wager, t.winning) AS remainder
    FROM c, total t WHERE c.counts AND c.won AND t.winning < t.pool
  ), ranked AS (
    SELECT id, base, remainder, row_number() OVER (ORDER BY remainder DESC, id) AS k, pool - sum(base) OVER () AS left_over
    FROM share
  )
  SELECT id, (base + (k <= left_over)::int)::bigint, 'won', CASE WHEN k = left_over THEN remainder::bigint END FROM ranked
  UNION ALL
  SELECT c.id, 0, 'lost', NULL FROM c, total t WHERE c.counts AND NOT c.won AND t.winning > 0
  UNION ALL
  SELECT c.id, c.wager, 'refunded', NULL FROM c, total t WHERE NOT c.counts OR t.winning = 0 OR t.winning = t.pool
$$;

CREATE FUNCTION payouts(p_event bigint, p_round int, p_result text, p_effective_at timestamptz)
RETURNS TABLE (call_id bigint, payout_cents bigint, outcome text) LANGUAGE sql STABLE AS $$
  SELECT call_id, payout_cents, outcome FROM payouts_with_cents(p_event, p_round, p_result, p_effective_at)
$$;
