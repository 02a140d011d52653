-- reconcile: every check of the books, one row each, with how much is wrong (a count, or cents). All must always be 0.
-- Tests, a job, the operators' page and `bun run reconcile` read it; db/ledger/list-differing-rows.ts lists the rows
-- that a check counts.
CREATE VIEW reconcile AS
  SELECT 'entries do not sum to zero' AS name, abs(coalesce(sum(amount_cents), 0))::bigint AS bad FROM entries
  UNION ALL
  SELECT 'journals that do not balance', count(*)
  FROM (SELECT journal_id FROM entries GROUP BY 1 HAVING sum(amount_cents) <> 0) q
  UNION ALL
  SELECT 'accounts that do not follow their entries', count(*)
  FROM accounts a LEFT JOIN (
    SELECT account_id, sum(amount_cents) AS amount, count(*) AS n FROM entries GROUP BY 1
  ) e ON e.account_id = a.id
  WHERE a.posted_cents <> coalesce(e.amount, 0) OR a.version <> coalesce(e.n, 0)
  UNION ALL
  SELECT 'wallets that do not hold their active calls', count(*)
  FROM accounts a LEFT JOIN (
    SELECT account_id, count(*) AS n, sum(wager_cents) AS wager FROM calls WHERE state IN ('placed', 'closed') GROUP BY 1
  ) c ON c.account_id = a.id
  WHERE a.held_cents <> coalesce(c.wager, 0) OR a.held_calls <> coalesce(c.n, 0)
  UNION ALL
  SELECT 'total held is not total exposure', abs(
    coalesce((SELECT sum(held_cents) FROM accounts), 0) - coalesce((SELECT sum(staked_cents) FROM exposure), 0))::bigint
  UNION ALL
  SELECT 'overdrawn wallets', count(*) FROM accounts WHERE kind = 'wallet' AND posted_cents - held_cents < 0
  UNION ALL
  SELECT 'debts of players who have money available', count(*)
  FROM accounts r JOIN accounts w ON w.user_id = r.user_id AND w.kind = 'wallet'
  WHERE r.kind = 'receivable' AND r.posted_cents < 0 AND w.posted_cents > w.held_cents
  UNION ALL
  SELECT 'entries that do not continue the one before', count(*)
  FROM (
    SELECT balance_after_cents - amount_cents AS before,
      coalesce(lag(balance_after_cents) OVER (PARTITION BY account_id ORDER BY account_version), 0) AS previous
    FROM entries
  ) q WHERE before <> previous
  UNION ALL
  SELECT 'spots whose counters are not their calls', count(*)
  FROM spots s JOIN events e ON e.id = s.event_id LEFT JOIN (
    SELECT spot_id, round, count(*) AS n, sum(wager_cents) AS wager FROM calls
    WHERE state <> 'soft_destroyed' GROUP BY 1, 2
  ) c ON c.spot_id = s.id AND c.round = e.round
  WHERE s.calls_count <> coalesce(c.n, 0) OR s.pool_cents <> coalesce(c.wager, 0)
  UNION ALL
  SELECT 'settlements that do not conserve the pool', count(*)
  FROM settlements s LEFT JOIN (
    SELECT settlement_id, count(*) AS n, sum(payout_cents) AS paid FROM settlement_lines GROUP BY 1
  ) l ON l.settlement_id = s.id
  WHERE s.pool_cents + s.refunded_cents <> coalesce(l.paid, 0) OR s.calls_count <> coalesce(l.n, 0)
  UNION ALL
  SELECT 'calls whose entries are not payout minus wager', count(*)
  FROM calls c LEFT JOIN (
    SELECT call_id, sum(amount_cents) AS amount FROM entries WHERE call_id IS NOT NULL GROUP BY 1
  ) e ON e.call_id = c.id
  WHERE coalesce(e.amount, 0) <> CASE WHEN c.state = 'resolved' THEN c.payout_cents - c.wager_cents ELSE 0 END
  UNION ALL
  SELECT 'resolved calls that differ from the live settlement', count(*)
  FROM calls c
  WHERE c.state = 'resolved' AND NOT EXISTS (
    SELECT 1 FROM settlements s JOIN settlement_lines l ON l.settlement_id = s.id
    WHERE s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded
      AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome
  ) AND NOT EXISTS (
    -- Players that the settlement has not paid yet were paid by an earlier one.
    SELECT 1 FROM settlements s JOIN settlements b ON b.event_id = s.event_id AND b.round = s.round AND b.superseded
      JOIN settlement_lines l ON l.settlement_id = b.id
    WHERE s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded AND s.paid_at IS NULL
      AND (s.paid_from_user_id IS NULL OR c.user_id < s.paid_from_user_id)
      AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome
  )
  UNION ALL
  SELECT 'events whose result is not the live settlement', count(*)
  FROM events e LEFT JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
  WHERE e.result IS DISTINCT FROM s.result OR (e.result IS NOT NULL AND e.effective_at IS DISTINCT FROM s.effective_at)
  UNION ALL
  SELECT 'active calls on a resolved event', count(*)
  FROM calls c JOIN events e ON e.id = c.event_id
  WHERE e.result IS NOT NULL AND c.state IN ('placed', 'closed') AND NOT EXISTS (
    SELECT 1 FROM settlements s
    WHERE c.state = 'closed' AND s.event_id = e.id AND s.round = c.round AND NOT s.superseded AND s.paid_at IS NULL
      AND (s.paid_from_user_id IS NULL OR c.user_id < s.paid_from_user_id)
  )
  UNION ALL
  SELECT 'settlements that have not paid as many calls as they say', count(*)
  FROM settlements s
  WHERE NOT s.superseded AND s.paid_at IS NULL AND s.paid_calls_count <> (
    SELECT count(*) FROM calls c
    WHERE c.event_id = s.event_id AND c.round = s.round AND c.state = 'resolved' AND c.user_id >= s.paid_from_user_id
  )
  UNION ALL
  SELECT 'clearing is not what is still to be paid', abs(
    coalesce((SELECT posted_cents FROM accounts WHERE kind = 'clearing'), 0) + coalesce((
      SELECT sum(c.payout_cents - c.wager_cents)
      FROM settlements s JOIN calls c ON c.event_id = s.event_id AND c.round = s.round
      WHERE NOT s.superseded AND s.paid_at IS NULL AND c.state = 'resolved'
    ), 0))::bigint
  UNION ALL
  SELECT 'placed calls on an event that is not open', count(*)
  FROM calls c JOIN events e ON e.id = c.event_id WHERE c.state = 'placed' AND e.state <> 'open'
  UNION ALL
  SELECT 'closed calls on an open event', count(*)
  FROM calls c JOIN events e ON e.id = c.event_id WHERE c.state = 'closed' AND e.state = 'open'
  UNION ALL
  SELECT 'active calls of an earlier round', count(*)
  FROM calls c JOIN events e ON e.id = c.event_id WHERE c.state IN ('placed', 'closed') AND c.round <> e.round
  UNION ALL
  SELECT 'calls and settlements of a round to come',
    (SELECT count(*) FROM calls c JOIN events e ON e.id = c.event_id WHERE c.round > e.round)
    + (SELECT count(*) FROM settlements s JOIN events e ON e.id = s.event_id WHERE s.round > e.round)
  UNION ALL
  SELECT 'earlier rounds settled otherwise than void', count(*)
  FROM settlements s JOIN events e ON e.id = s.event_id
  WHERE s.round < e.round AND NOT s.superseded AND s.result <> 'void'
  UNION ALL
  SELECT 'players over the limit of an event', count(*)
  FROM (
    SELECT 1 FROM calls c JOIN events e ON e.id = c.event_id AND e.round = c.round
    WHERE c.state <> 'soft_destroyed'
    GROUP BY c.event_id, c.user_id, e.max_wager_cents HAVING sum(c.wager_cents) > e.max_wager_cents
  ) q
  UNION ALL
  SELECT 'calls without their wallet or spot', count(*)
  FROM calls c LEFT JOIN accounts a ON a.id = c.account_id AND a.user_id = c.user_id AND a.kind = 'wallet'
    LEFT JOIN spots s ON s.id = c.spot_id AND s.event_id = c.event_id
  WHERE a.id IS NULL OR s.id IS NULL
  UNION ALL
  SELECT 'payments without their journals', count(*)
  FROM payments p LEFT JOIN journal d ON d.id = p.journal_id AND d.kind = 'deposit'
  WHERE (p.state IN ('succeeded', 'refunded')) <> (d.id IS NOT NULL)
  UNION ALL
  SELECT 'chargebacks without their journals', count(*)
  FROM chargebacks c LEFT JOIN journal t ON t.id = c.journal_id AND t.kind = 'chargeback'
    LEFT JOIN journal r ON r.id = c.return_journal_id AND r.kind = 'chargeback'
  WHERE (c.journal_id IS NOT NULL) <> (t.id IS NOT NULL) OR (c.return_journal_id IS NOT NULL) <> (r.id IS NOT NULL)
  UNION ALL
  SELECT 'payments whose chargebacks do not add up', count(*)
  FROM payments p LEFT JOIN (
    SELECT payment_id, sum(amount_cents) AS amount FROM chargebacks WHERE state = 'taken' GROUP BY 1
  ) c ON c.payment_id = p.id
  WHERE p.refunded_cents <> coalesce(c.amount, 0)
  UNION ALL
  SELECT 'accounts that do not count their moves and calls', count(*)
  FROM accounts a LEFT JOIN (
    SELECT account_id, count(*) + count(ended_at) AS moves,
      count(*) FILTER (WHERE state <> 'soft_destroyed' OR refunded_by IS NOT NULL) AS recorded,
      count(*) FILTER (WHERE state = 'soft_destroyed' AND refunded_by IS NULL) AS cancelled,
      count(*) FILTER (WHERE state = 'resolved') AS resolved
    FROM calls GROUP BY 1
  ) c ON c.account_id = a.id LEFT JOIN (
    SELECT account_id, count(*) AS listed FROM entries WHERE listed GROUP BY 1
  ) e ON e.account_id = a.id
  WHERE (a.moves_count, a.recorded_calls, a.cancelled_calls, a.resolved_calls)
    <> (coalesce(c.moves, 0) + coalesce(e.listed, 0), coalesce(c.recorded, 0), coalesce(c.cancelled, 0),
      coalesce(c.resolved, 0))
  UNION ALL
  SELECT 'sessions that do not count their events and registrations', count(*)
  FROM sessions s LEFT JOIN session_counts k ON k.session_id = s.id LEFT JOIN (
    SELECT session_id, count(*) AS n FROM events WHERE state NOT IN ('hidden', 'soft_destroyed') GROUP BY 1
  ) e ON e.session_id = s.id LEFT JOIN (
    SELECT session_id, count(*) AS n FROM registrations GROUP BY 1
  ) r ON r.session_id = s.id
  WHERE (coalesce(k.events_count, 0), coalesce(k.registrations_count, 0)) <> (coalesce(e.n, 0), coalesce(r.n, 0))
  UNION ALL
  SELECT 'totals that are not their rows', count(*)
  FROM (
    SELECT 'users' AS name, count(*) AS n, 0 AS posted FROM users
    UNION ALL SELECT kind, count(*), sum(posted_cents) FROM accounts GROUP BY kind
  ) q FULL JOIN (
    SELECT name, sum(rows_count) AS n, sum(posted_cents) AS posted FROM totals GROUP BY 1
  ) t ON t.name = q.name
  WHERE (coalesce(q.n, 0), coalesce(q.posted, 0)) <> (coalesce(t.n, 0), coalesce(t.posted, 0))
  UNION ALL
  SELECT 'money from outside is not what was paid in', abs(
    coalesce((SELECT posted_cents FROM accounts WHERE kind = 'external'), 0) + coalesce((
      SELECT sum(amount_cents - refunded_cents) FROM payments WHERE state IN ('succeeded', 'refunded')
    ), 0))::bigint
  UNION ALL
  SELECT name, bad FROM tampering;
