-- wrong_rows: every check of the books with the rows that it finds wrong: here those of sums and settlements, then wrong_states and
-- tampered_rows. A check that finds none has one row of nulls. bad is 1, or the difference in cents where two sums are compared.
-- label and detail say what is wrong, the ids whom and what it concerns; n is to order by. reconcile counts these rows.
CREATE VIEW wrong_rows (name, bad, label, detail, user_id, event_id, call_id, n) AS
  SELECT 'entries do not sum to zero', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT abs(cents), 'all entries', format('sum to %s cents', cents), NULL::bigint, NULL::bigint, NULL::bigint, 0::bigint
    FROM (SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM entries) e WHERE cents <> 0
  ) w ON true
  UNION ALL
  SELECT 'journals that do not balance', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('journal %s, %s', e.journal_id, j.kind), format('off by %s cents', e.amount), NULL::bigint, j.event_id,
      NULL::bigint, e.journal_id
    FROM (
      SELECT journal_id, sum(amount_cents) AS amount FROM entries GROUP BY 1 HAVING sum(amount_cents) <> 0
    ) e LEFT JOIN journal j ON j.id = e.journal_id
  ) w ON true
  UNION ALL
  SELECT 'accounts that do not follow their entries', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('%s %s', a.kind, a.id),
      format('says %s cents in %s entries, its entries %s in %s', a.posted_cents, a.version, coalesce(e.amount, 0), coalesce(e.n, 0)),
      a.user_id, NULL::bigint, NULL::bigint, a.id
    FROM accounts a LEFT JOIN (
      SELECT account_id, sum(amount_cents) AS amount, count(*) AS n FROM entries GROUP BY 1
    ) e ON e.account_id = a.id
    WHERE a.posted_cents <> coalesce(e.amount, 0) OR a.version <> coalesce(e.n, 0)
  ) w ON true
  UNION ALL
  SELECT 'wallets that do not hold their active calls', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('%s %s', a.kind, a.id),
      format('holds %s cents of %s calls, its active calls %s of %s', a.held_cents, a.held_calls, coalesce(c.wager, 0), coalesce(c.n, 0)),
      a.user_id, NULL::bigint, NULL::bigint, a.id
    FROM accounts a LEFT JOIN (
      SELECT account_id, count(*) AS n, sum(wager_cents) AS wager FROM calls WHERE state IN ('placed', 'closed') GROUP BY 1
    ) c ON c.account_id = a.id
    WHERE a.held_cents <> coalesce(c.wager, 0) OR a.held_calls <> coalesce(c.n, 0)
  ) w ON true
  UNION ALL
  SELECT 'total held is not total exposure', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT abs(held - staked), 'all wallets', format('hold %s cents, the exposure is %s', held, staked), NULL::bigint, NULL::bigint,
      NULL::bigint, 0::bigint
    FROM (
      SELECT coalesce((SELECT sum(held_cents) FROM accounts), 0)::bigint AS held,
        coalesce((SELECT sum(staked_cents) FROM exposure), 0)::bigint AS staked
    ) q WHERE held <> staked
  ) w ON true
  UNION ALL
  SELECT 'overdrawn wallets', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('wallet %s', id), format('%s cents, %s held', posted_cents, held_cents), user_id, NULL::bigint, NULL::bigint, id
    FROM accounts WHERE kind = 'wallet' AND posted_cents - held_cents < 0
  ) w ON true
  UNION ALL
  SELECT 'debts of players who have money available', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('wallet %s', w.id), format('owes %s cents, %s available', -r.posted_cents, w.posted_cents - w.held_cents),
      w.user_id, NULL::bigint, NULL::bigint, w.id
    FROM accounts r JOIN accounts w ON w.user_id = r.user_id AND w.kind = 'wallet'
    WHERE r.kind = 'receivable' AND r.posted_cents < 0 AND w.posted_cents > w.held_cents
  ) w ON true
  UNION ALL
  SELECT 'entries that do not continue the one before', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('entry %s', q.id), format('begins at %s cents, the one before ended at %s', q.before, q.previous), a.user_id,
      NULL::bigint, q.call_id, q.id
    FROM (
      SELECT id, account_id, call_id, balance_after_cents - amount_cents AS before,
        coalesce(lag(balance_after_cents) OVER (PARTITION BY account_id ORDER BY account_version), 0) AS previous
      FROM entries
    ) q LEFT JOIN accounts a ON a.id = q.account_id WHERE q.before <> q.previous
  ) w ON true
  UNION ALL
  SELECT 'spots whose counters are not their calls', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('spot %s, %s', s.id, s.side),
      format('counts %s calls and %s cents, they are %s and %s', s.calls_count, s.pool_cents, coalesce(c.n, 0), coalesce(c.wager, 0)),
      NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM spots s JOIN events e ON e.id = s.event_id LEFT JOIN (
      SELECT spot_id, round, count(*) AS n, sum(wager_cents) AS wager FROM calls
      WHERE state <> 'soft_destroyed' GROUP BY 1, 2
    ) c ON c.spot_id = s.id AND c.round = e.round
    WHERE s.calls_count <> coalesce(c.n, 0) OR s.pool_cents <> coalesce(c.wager, 0)
  ) w ON true
  UNION ALL
  SELECT 'settlements that do not conserve the pool', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('settlement %s', s.id),
      format('%s calls, pool %s cents, refunded %s', s.calls_count, s.pool_cents, s.refunded_cents),
      NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM settlements s LEFT JOIN (
      SELECT settlement_id, count(*) AS n, sum(payout_cents) AS paid FROM settlement_lines GROUP BY 1
    ) l ON l.settlement_id = s.id
    WHERE s.pool_cents + s.refunded_cents <> coalesce(l.paid, 0) OR s.calls_count <> coalesce(l.n, 0)
  ) w ON true
  UNION ALL
  SELECT 'calls whose entries are not payout minus wager', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id),
      format('%s, wager %s cents, payout %s', c.state, c.wager_cents, coalesce(c.payout_cents::text, 'none')),
      c.user_id, c.event_id, c.id, c.id
    FROM calls c LEFT JOIN (
      SELECT call_id, sum(amount_cents) AS amount FROM entries WHERE call_id IS NOT NULL GROUP BY 1
    ) e ON e.call_id = c.id
    WHERE coalesce(e.amount, 0) <> CASE WHEN c.state = 'resolved' THEN c.payout_cents - c.wager_cents ELSE 0 END
  ) w ON true
  UNION ALL
  SELECT 'resolved calls that differ from the live settlement', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id), format('%s, payout %s cents', c.outcome, c.payout_cents), c.user_id, c.event_id, c.id, c.id
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
  ) w ON true
  UNION ALL
  SELECT 'events whose result is not the live settlement', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('event %s', e.id), format('says %s, was settled %s', coalesce(e.result, 'nothing'), coalesce(s.result, 'never')),
      NULL::bigint, e.id, NULL::bigint, e.id
    FROM events e LEFT JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
    WHERE e.result IS DISTINCT FROM s.result OR (e.result IS NOT NULL AND e.effective_at IS DISTINCT FROM s.effective_at)
  ) w ON true
  UNION ALL
  SELECT 'active calls on a resolved event', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id), format('%s, of round %s', c.state, c.round), c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id
    WHERE e.result IS NOT NULL AND c.state IN ('placed', 'closed') AND NOT EXISTS (
      SELECT 1 FROM settlements s
      WHERE c.state = 'closed' AND s.event_id = e.id AND s.round = c.round AND NOT s.superseded AND s.paid_at IS NULL
        AND (s.paid_from_user_id IS NULL OR c.user_id < s.paid_from_user_id)
    )
  ) w ON true
  UNION ALL
  SELECT 'settlements that have not paid as many calls as they say', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('settlement %s', s.id), format('says %s of %s', s.paid_calls_count, s.calls_count), NULL::bigint, s.event_id,
      NULL::bigint, s.id
    FROM settlements s
    WHERE NOT s.superseded AND s.paid_at IS NULL AND s.paid_calls_count <> (
      SELECT count(*) FROM calls c
      WHERE c.event_id = s.event_id AND c.round = s.round AND c.state = 'resolved' AND c.user_id >= s.paid_from_user_id
    )
  ) w ON true
  UNION ALL
  SELECT 'clearing is not what is still to be paid', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT abs(posted + paid), 'clearing', format('%s cents, unfinished settlements have paid %s', posted, paid), NULL::bigint,
      NULL::bigint, NULL::bigint, 0::bigint
    FROM (
      SELECT coalesce((SELECT posted_cents FROM accounts WHERE kind = 'clearing'), 0) AS posted, coalesce((
        SELECT sum(c.payout_cents - c.wager_cents)
        FROM settlements s JOIN calls c ON c.event_id = s.event_id AND c.round = s.round
        WHERE NOT s.superseded AND s.paid_at IS NULL AND c.state = 'resolved'
      ), 0)::bigint AS paid
    ) q WHERE posted + paid <> 0
  ) w ON true
  UNION ALL
  SELECT * FROM wrong_states
  UNION ALL
  SELECT * FROM tampered_rows;

-- reconcile: every check of the books, one row each, with how much is wrong (a count, or cents): what wrong_rows lists, counted. All
-- must always be 0. Tests, a job, the operators' page and `bun run reconcile` read it.
CREATE VIEW reconcile AS
  SELECT name, coalesce(sum(bad), 0)::bigint AS bad
  FROM (SELECT name, bad, row_number() OVER () AS place FROM wrong_rows) q
  GROUP BY name ORDER BY min(place);
