-- settle_events(events, results, effective_ats, reasons, actors): decides the payouts of the closed calls of the round of each of these
-- events, or corrects an earlier decision, which needs a reason. Arrays have one element for each event, and each event is named once.
-- All amounts are written here and never change; pay_settlement_part pays them. A settlement without calls is paid at once.
-- A correction supersedes a settlement that is still being paid, instead of waiting for it: the older one pays no more, and the
-- new one pays each call the difference to what it was paid. A request for the decision in force changes nothing.
-- A reset settles as 'void' first, then starts the new round.
-- Refuses LK404 no such event, LK003 an event is not closed or calls are still placed, LK006 a correction has no reason. Then
-- none is settled.
-- Each statement writes the rows of all events: for small ones, running a statement takes longer than its rows.
-- Nested loops are off because rows that were just written have no statistics; jit is off because this penalty would trigger it.
-- LIMIT 1 keeps the look-ups of an event by an index: see place-gated-calls.sql.
CREATE FUNCTION settle_events(
  p_events bigint[], p_results text[], p_effective_ats timestamptz[], p_reasons text[], p_actors bigint[]
) RETURNS void LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
DECLARE
  refused text; -- the first refusal: its code and its text
  -- One element for each event that is decided now.
  v_event bigint[];
  v_round int[];
  v_result text[];
  v_effective_at timestamptz[];
  v_reason text[];
  v_actor bigint[];
  v_previous bigint[]; -- the settlement that is superseded, its journal, and the new version
  v_supersedes bigint[];
  v_version int[];
  v_journal bigint[];
BEGIN
  PERFORM require_read_committed();
  PERFORM event_gate(id) FROM (SELECT DISTINCT id FROM unnest(p_events) AS id ORDER BY id) g;
  PERFORM 1 FROM events WHERE id = ANY (p_events) ORDER BY id FOR NO KEY UPDATE;
  SELECT array_agg(q.id), array_agg(q.round), array_agg(q.result), array_agg(q.effective_at), array_agg(q.reason),
      array_agg(q.actor), array_agg(q.previous), array_agg(q.journal_id), array_agg(coalesce(q.version, 0) + 1),
      (array_agg(q.refusal ORDER BY q.ord) FILTER (WHERE q.refusal IS NOT NULL))[1]
    INTO v_event, v_round, v_result, v_effective_at, v_reason, v_actor, v_previous, v_supersedes, v_version, refused
    FROM (
      SELECT i.*, e.round, s.id AS previous, s.journal_id, s.version, CASE
          WHEN e.id IS NULL THEN 'LK404 not found'
          WHEN e.state NOT IN ('closed', 'resolved') AND s.id IS NULL THEN 'LK003 cannot settle when ' || e.state
          WHEN (SELECT true FROM calls c WHERE c.event_id = e.id AND c.state = 'placed' LIMIT 1)
            THEN 'LK003 cannot settle placed calls'
          WHEN s.id IS NOT NULL AND coalesce(length(i.reason), 0) = 0 THEN 'LK006 reason is required'
        END AS refusal
      FROM unnest(p_events, p_results, p_effective_ats, p_reasons, p_actors) WITH ORDINALITY
          AS i(id, result, effective_at, reason, actor, ord)
        LEFT JOIN LATERAL (SELECT * FROM events e WHERE e.id = i.id LIMIT 1) e ON true
        LEFT JOIN LATERAL (
          SELECT * FROM settlements s WHERE s.event_id = e.id AND s.round = e.round AND NOT s.superseded LIMIT 1
        ) s ON true
      WHERE (s.result = i.result AND s.effective_at IS NOT DISTINCT FROM i.effective_at) IS NOT TRUE
      ORDER BY i.ord
    ) q;
  IF refused IS NOT NULL THEN
    PERFORM refuse(left(refused, 5), substr(refused, 7));
  END IF;

  WITH added AS (
    INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round, supersedes_id, actor_id, reason)
      SELECT CASE WHEN d.version = 1 THEN 'settle' ELSE 'resettle' END,
        format('settle-%s-r%s-v%s', d.event, d.round, d.version), d.result, d.event, d.round, d.supersedes, d.actor, d.reason
      FROM unnest(v_event, v_round, v_version, v_result, v_supersedes, v_actor, v_reason) WITH ORDINALITY
        AS d(event, round, version, result, supersedes, actor, reason, ord)
      ORDER BY d.ord
      RETURNING id, event_id
  )
  SELECT array_agg(a.id ORDER BY array_position(v_event, a.event_id)) INTO v_journal FROM added a;
  UPDATE settlements SET superseded = true WHERE id = ANY (v_previous);
  WITH d AS (
    SELECT * FROM unnest(v_event, v_round, v_version, v_result, v_effective_at, v_journal) WITH ORDINALITY
      AS d(event, round, version, result, effective_at, journal, ord)
  ), p AS MATERIALIZED (
    SELECT d.event, p.* FROM d CROSS JOIN LATERAL payouts_with_cents(d.event, d.round, d.result, d.effective_at) p
  ), added AS (
    INSERT INTO settlements (event_id, round, version, result, effective_at, journal_id, pool_cents, winning_pool_cents,
        refunded_cents, calls_count, last_remainder, last_call_id, paid_at)
      SELECT d.event, d.round, d.version, d.result, d.effective_at, d.journal, q.pool, q.winning, q.refunded, q.calls,
        coalesce(l.last_remainder, 0), coalesce(l.call_id, 0), CASE WHEN q.calls = 0 THEN game_now() END
      FROM d CROSS JOIN LATERAL (
          SELECT coalesce(sum(c.wager) FILTER (WHERE c.counts), 0) AS pool,
            coalesce(sum(c.wager) FILTER (WHERE c.counts AND c.won), 0) AS winning,
            coalesce(sum(c.wager) FILTER (WHERE NOT c.counts), 0) AS refunded, count(*) AS calls
          FROM (
            SELECT c.wager_cents AS wager, s.side = d.result AS won,
              d.effective_at IS NULL OR c.placed_at < d.effective_at AS counts
            FROM calls c JOIN spots s ON s.id = c.spot_id AND s.event_id = d.event
            WHERE c.event_id = d.event AND c.round = d.round AND c.state IN ('closed', 'resolved')
          ) c
        ) q
        LEFT JOIN p AS l ON l.event = d.event AND l.last_remainder IS NOT NULL
      ORDER BY d.ord
      RETURNING id, event_id
  )
  INSERT INTO settlement_lines (settlement_id, call_id, payout_cents, outcome)
    SELECT a.id, p.call_id, p.payout_cents, p.outcome FROM added a JOIN p ON p.event = a.event_id;
END $$;
