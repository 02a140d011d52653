-- wrong_states: the checks of states, rounds, limits, payments and counters, with the rows that they find wrong. The columns are those
-- of wrong_rows, which shows them too.
CREATE VIEW wrong_states (name, bad, label, detail, user_id, event_id, call_id, n) AS
  SELECT 'placed calls on an event that is not open', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1::bigint, format('call %s', c.id), format('%s, of round %s', c.state, c.round), c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id WHERE c.state = 'placed' AND e.state <> 'open'
  ) w ON true
  UNION ALL
  SELECT 'closed calls on an open event', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id), format('%s, of round %s', c.state, c.round), c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id WHERE c.state = 'closed' AND e.state = 'open'
  ) w ON true
  UNION ALL
  SELECT 'active calls of an earlier round', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id), format('%s, of round %s', c.state, c.round), c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id WHERE c.state IN ('placed', 'closed') AND c.round <> e.round
  ) w ON true
  UNION ALL
  SELECT 'calls and settlements of a round to come', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id), format('%s, of round %s', c.state, c.round), c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id WHERE c.round > e.round
    UNION ALL
    SELECT 1, format('settlement %s', s.id), format('of round %s', s.round), NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM settlements s JOIN events e ON e.id = s.event_id WHERE s.round > e.round
  ) w ON true
  UNION ALL
  SELECT 'earlier rounds settled otherwise than void', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('settlement %s', s.id), format('%s, of round %s', s.result, s.round), NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM settlements s JOIN events e ON e.id = s.event_id
    WHERE s.round < e.round AND NOT s.superseded AND s.result <> 'void'
  ) w ON true
  UNION ALL
  SELECT 'players over the limit of an event', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('player %s', c.user_id), format('%s cents on an event that takes %s', sum(c.wager_cents), e.max_wager_cents),
      c.user_id, e.id, NULL::bigint, c.user_id
    FROM calls c JOIN events e ON e.id = c.event_id AND e.round = c.round
    WHERE c.state <> 'soft_destroyed'
    GROUP BY e.id, c.user_id HAVING sum(c.wager_cents) > e.max_wager_cents
  ) w ON true
  UNION ALL
  SELECT 'calls without their wallet or spot', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id), format('%s, of round %s', c.state, c.round), c.user_id, c.event_id, c.id, c.id
    FROM calls c LEFT JOIN accounts a ON a.id = c.account_id AND a.user_id = c.user_id AND a.kind = 'wallet'
      LEFT JOIN spots s ON s.id = c.spot_id AND s.event_id = c.event_id
    WHERE a.id IS NULL OR s.id IS NULL
  ) w ON true
  UNION ALL
  SELECT 'payments without their journals', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('payment %s', p.id), p.state, p.user_id, NULL::bigint, NULL::bigint, p.id
    FROM payments p LEFT JOIN journal d ON d.id = p.journal_id AND d.kind = 'deposit'
    WHERE (p.state IN ('succeeded', 'refunded')) <> (d.id IS NOT NULL)
  ) w ON true
  UNION ALL
  SELECT 'chargebacks without their journals', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('chargeback %s', c.id), format('%s, %s', c.cause, c.state), p.user_id, NULL::bigint, NULL::bigint, c.id
    FROM chargebacks c LEFT JOIN payments p ON p.id = c.payment_id
      LEFT JOIN journal t ON t.id = c.journal_id AND t.kind = 'chargeback'
      LEFT JOIN journal r ON r.id = c.return_journal_id AND r.kind = 'chargeback'
    WHERE (c.journal_id IS NOT NULL) <> (t.id IS NOT NULL) OR (c.return_journal_id IS NOT NULL) <> (r.id IS NOT NULL)
  ) w ON true
  UNION ALL
  SELECT 'payments whose chargebacks do not add up', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('payment %s', p.id), format('says %s cents, its chargebacks %s', p.refunded_cents, coalesce(c.amount, 0)),
      p.user_id, NULL::bigint, NULL::bigint, p.id
    FROM payments p LEFT JOIN (
      SELECT payment_id, sum(amount_cents) AS amount FROM chargebacks WHERE state = 'taken' GROUP BY 1
    ) c ON c.payment_id = p.id
    WHERE p.refunded_cents <> coalesce(c.amount, 0)
  ) w ON true
  UNION ALL
  SELECT 'accounts that do not count their moves and calls', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('%s %s', a.kind, a.id),
      format('counts %s moves, %s calls on record, %s cancelled and %s resolved, they are %s, %s, %s and %s',
        a.moves_count, a.recorded_calls, a.cancelled_calls, a.resolved_calls, coalesce(c.moves, 0) + coalesce(e.listed, 0),
        coalesce(c.recorded, 0), coalesce(c.cancelled, 0), coalesce(c.resolved, 0)),
      a.user_id, NULL::bigint, NULL::bigint, a.id
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
      <> (coalesce(c.moves, 0) + coalesce(e.listed, 0), coalesce(c.recorded, 0), coalesce(c.cancelled, 0), coalesce(c.resolved, 0))
  ) w ON true
  UNION ALL
  SELECT 'sessions that do not count their events and registrations', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('session %s', s.slug),
      format('counts %s events and %s registrations, they are %s and %s',
        coalesce(k.events_count, 0), coalesce(k.registrations_count, 0), coalesce(e.n, 0), coalesce(r.n, 0)),
      NULL::bigint, NULL::bigint, NULL::bigint, s.id
    FROM sessions s LEFT JOIN session_counts k ON k.session_id = s.id LEFT JOIN (
      SELECT session_id, count(*) AS n FROM events WHERE state NOT IN ('hidden', 'soft_destroyed') GROUP BY 1
    ) e ON e.session_id = s.id LEFT JOIN (
      SELECT session_id, count(*) AS n FROM registrations GROUP BY 1
    ) r ON r.session_id = s.id
    WHERE (coalesce(k.events_count, 0), coalesce(k.registrations_count, 0)) <> (coalesce(e.n, 0), coalesce(r.n, 0))
  ) w ON true
  UNION ALL
  SELECT 'totals that are not their rows', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('total of %s', coalesce(q.name, t.name)),
      format('says %s rows and %s cents, they are %s and %s',
        coalesce(t.n, 0), coalesce(t.posted, 0), coalesce(q.n, 0), coalesce(q.posted, 0)),
      NULL::bigint, NULL::bigint, NULL::bigint, 0::bigint
    FROM (
      SELECT 'users' AS name, count(*) AS n, 0 AS posted FROM users
      UNION ALL SELECT kind, count(*), sum(posted_cents) FROM accounts GROUP BY kind
    ) q FULL JOIN (
      SELECT name, sum(rows_count) AS n, sum(posted_cents) AS posted FROM totals GROUP BY 1
    ) t ON t.name = q.name
    WHERE (coalesce(q.n, 0), coalesce(q.posted, 0)) <> (coalesce(t.n, 0), coalesce(t.posted, 0))
  ) w ON true
  UNION ALL
  SELECT 'money from outside is not what was paid in', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT abs(posted + paid_in), 'external', format('%s cents, payments %s', posted, paid_in), NULL::bigint, NULL::bigint, NULL::bigint,
      0::bigint
    FROM (
      SELECT coalesce((SELECT posted_cents FROM accounts WHERE kind = 'external'), 0) AS posted, coalesce((
        SELECT sum(amount_cents - refunded_cents) FROM payments WHERE state IN ('succeeded', 'refunded')
      ), 0)::bigint AS paid_in
    ) q WHERE posted + paid_in <> 0
  ) w ON true;
