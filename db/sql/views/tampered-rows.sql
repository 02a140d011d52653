-- tampered_rows: checks of what no function of the ledger does, but a role with the owner's rights could, so that every sum still
-- agrees, with the rows that they find. The columns are those of wrong_rows, which shows them too.
CREATE VIEW tampered_rows (name, bad, label, detail, user_id, event_id, call_id, n) AS
  -- A grant is between one player and promo, a settlement is of the calls of its event, and so on. The part of a settlement that
  -- is of no call, and a repayment, only move a player's money between wallet and debt.
  SELECT 'journals that book what their kind does not', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1::bigint, format('journal %s', j.id), j.kind, NULL::bigint, j.event_id, NULL::bigint, j.id
    FROM journal j WHERE j.id IN (
      SELECT j.id FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id
        LEFT JOIN calls c ON c.id = e.call_id
      GROUP BY j.id
      HAVING bool_or(a.user_id IS NULL AND a.kind <> CASE WHEN j.kind IN ('grant', 'merge') THEN 'promo' WHEN j.kind = 'adjust' THEN 'house'
          WHEN j.kind IN ('settle', 'resettle') THEN 'clearing' WHEN j.kind = 'repay' THEN 'none' ELSE 'external' END)
        OR bool_or(j.kind NOT IN ('settle', 'resettle') AND e.call_id IS NOT NULL)
        OR bool_or(e.call_id IS NOT NULL AND (c.event_id, c.round) IS DISTINCT FROM (j.event_id, j.round))
        OR (j.kind IN ('grant', 'adjust', 'deposit', 'withdrawal', 'chargeback') AND count(DISTINCT a.user_id) <> 1)
      UNION
      SELECT j.id FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id
      WHERE j.kind IN ('settle', 'resettle', 'repay') AND e.call_id IS NULL AND a.user_id IS NOT NULL
      GROUP BY j.id, a.user_id HAVING sum(e.amount_cents) <> 0
    )
  ) w ON true
  UNION ALL
  -- A grant has its rule (grant_max). Only an unused wallet's grants are taken back, all at once. The house adds to a call what a
  -- wallet without other calls lacks: with it the wallet has the call's wager, and holds nothing yet.
  SELECT 'grants that no rule gives', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('journal %s, %s', id, idempotency_key), format('%s cents', given), user_id, NULL::bigint, NULL::bigint, id
    FROM (
      SELECT j.id, j.idempotency_key, j.created_at, max(a.user_id) AS user_id,
        sum(-e.amount_cents) FILTER (WHERE a.kind = 'promo') AS given,
        sum(e.balance_after_cents + e.held_after_cents) FILTER (WHERE a.kind = 'wallet') AS wallet_cents
      FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id
      WHERE j.kind = 'grant' GROUP BY j.id
    ) g
    WHERE CASE WHEN given < 0 THEN idempotency_key <> 'taken-back-' || user_id
        OR EXISTS (SELECT 1 FROM calls c WHERE c.user_id = g.user_id)
      ELSE given > grant_max(idempotency_key, user_id, created_at) OR starts_with(idempotency_key, 'grant-house-')
        AND wallet_cents <> grant_max(idempotency_key, user_id, created_at) END
  ) w ON true
  UNION ALL
  -- An admin adjusts the wallet of another player, and the audit says so.
  SELECT 'adjustments that no admin has made', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('journal %s, by user %s', id, coalesce(actor_id::text, 'none')), format('%s cents', given), user_id, NULL::bigint,
      NULL::bigint, id
    FROM (
      SELECT j.id, j.actor_id, max(a.user_id) AS user_id, sum(-e.amount_cents) FILTER (WHERE a.kind = 'house') AS given
      FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id
      WHERE j.kind = 'adjust' GROUP BY j.id
    ) g
    WHERE actor_id IS NULL OR actor_id = user_id OR NOT EXISTS (
      SELECT 1 FROM audit t
      WHERE t.subject_type = 'user' AND t.subject_id = g.user_id AND t.action = 'adjust_wallet' AND t.actor_id = g.actor_id
        AND t.after ->> 'journalId' = g.id::text AND t.after ->> 'amountCents' = g.given::text
    )
  ) w ON true
  UNION ALL
  -- A merge is asked for, as the audit says, is between a guest and its account, and moves what the guest has won.
  SELECT 'merges of other money than a guest has won', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('guest %s', g.id), format('merged into user %s', g.merged_into), g.id, NULL::bigint, NULL::bigint, g.id
    FROM users g CROSS JOIN LATERAL (
      SELECT sum(e.amount_cents) AS left_over, sum(e.amount_cents) FILTER (WHERE j.kind NOT IN ('grant', 'merge')) AS won,
        array_agg(DISTINCT j.id) FILTER (WHERE j.kind = 'merge') AS merges
      FROM accounts a JOIN entries e ON e.account_id = a.id JOIN journal j ON j.id = e.journal_id WHERE a.user_id = g.id
    ) m
    WHERE g.merged_into IS NOT NULL AND (m.left_over = 0 AND greatest(coalesce(m.won, 0), 0) <> coalesce((
        SELECT sum(e.amount_cents) FROM accounts a JOIN entries e ON e.account_id = a.id
        WHERE a.user_id = g.merged_into AND e.journal_id = ANY (m.merges)
      ), 0) OR NOT EXISTS (
        SELECT 1 FROM audit t WHERE t.subject_type = 'user' AND t.subject_id = g.id AND t.action = 'merge_guest'
      ))
    UNION ALL
    SELECT 1, format('journal %s', q.id), format('merges users %s', array_to_string(players, ', ')), NULL::bigint, NULL::bigint,
      NULL::bigint, q.id
    FROM (
      SELECT j.id, array_agg(DISTINCT a.user_id) FILTER (WHERE a.user_id IS NOT NULL) AS players
      FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id
      WHERE j.kind = 'merge' GROUP BY j.id
    ) q WHERE NOT EXISTS (SELECT 1 FROM users g WHERE g.id = ANY (players) AND players <@ ARRAY[g.id, g.merged_into])
  ) w ON true
  UNION ALL
  -- A player cancels in time; after the close only an admin, a skip or a reset gives a wager back, and the audit says so.
  SELECT 'calls refunded after the close without a cause', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id), format('ended %s, by %s', c.ended_at, coalesce(c.refunded_by, 'its player')), c.user_id,
      c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id
    WHERE c.state = 'soft_destroyed' AND CASE
      WHEN c.refunded_by IS NULL THEN c.round = e.round AND e.closed_at > e.opened_at AND c.ended_at > e.closed_at
      ELSE NOT EXISTS (
        SELECT 1 FROM audit a WHERE a.subject_type = 'event' AND a.subject_id = c.event_id AND CASE c.refunded_by
          WHEN 'admin' THEN a.action = 'destroy_call' AND a.before ->> 'callId' = c.id::text
          ELSE a.action = c.refunded_by END)
      END
  ) w ON true
  UNION ALL
  SELECT 'calls placed after the close', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', c.id), format('placed %s, its event closes %s', c.placed_at, e.closes_at), c.user_id, c.event_id, c.id,
      c.id
    FROM calls c JOIN events e ON e.id = c.event_id AND e.round = c.round
    WHERE c.state <> 'soft_destroyed' AND c.placed_at >= e.closes_at
  ) w ON true
  UNION ALL
  -- The ids of an event's calls are in the order of their placing, but for calls of the same moment. An event that was skipped and shown
  -- opens a second time: the calls of before were refunded then.
  SELECT 'calls dated before their event or before earlier calls', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('call %s', q.id),
      format('placed %s, its event opened %s, an earlier call %s', q.placed_at, e.opened_at, q.newest), q.user_id, e.id, q.id, q.id
    FROM (
      SELECT c.*, max(c.placed_at) OVER (PARTITION BY c.event_id ORDER BY c.id) AS newest FROM calls c
    ) q JOIN events e ON e.id = q.event_id
    WHERE q.placed_at < q.newest - interval '1 minute'
      OR (q.round = e.round AND q.placed_at < e.opened_at AND coalesce(q.ended_at, 'infinity') >= e.opened_at)
  ) w ON true
  UNION ALL
  SELECT 'spots that do not show the result', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('spot %s, %s', s.id, s.side),
      format('won: %s, the result is %s', coalesce(s.won::text, 'no word'), coalesce(e.result, 'open')),
      NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM spots s JOIN events e ON e.id = s.event_id
    WHERE s.state <> 'soft_destroyed'
      AND s.won IS DISTINCT FROM CASE WHEN e.result IN ('true', 'false') THEN s.side = e.result END
  ) w ON true
  UNION ALL
  -- A flag is closed by an admin, or by its message, which was accepted later.
  SELECT 'payment flags closed by nobody', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('payment flag %s', f.id), format('%s, closed %s', f.code, f.closed_at), NULL::bigint, NULL::bigint, NULL::bigint,
      f.id
    FROM payment_flags f
    WHERE f.closed_at IS NOT NULL AND f.closed_by IS NULL AND NOT EXISTS (
      SELECT 1 FROM webhook_events m WHERE m.provider = f.provider AND m.provider_event_id = f.message_id
    ) AND NOT EXISTS (
      SELECT 1 FROM chargebacks c WHERE c.payment_id = f.payment_id AND c.provider_ref IS NOT NULL AND f.message_id = 'refund-' || c.id
    )
  ) w ON true
  UNION ALL
  -- Of roles the newest line says all that the user has, of hosts whether the user is one.
  SELECT 'audit lines of what was never done', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('audit row %s', t.id), format('%s of %s %s', t.action, t.subject_type, t.subject_id), t.actor_id, NULL::bigint,
      NULL::bigint, t.id
    FROM audit t
    WHERE CASE t.action
      WHEN 'adjust_wallet' THEN NOT EXISTS (
        SELECT 1 FROM journal j
        WHERE j.id::text = t.after ->> 'journalId' AND j.kind = 'adjust' AND j.actor_id = t.actor_id
      )
      WHEN 'resolve' THEN NOT EXISTS (
        SELECT 1 FROM settlements s WHERE s.event_id = t.subject_id AND s.result = t.after ->> 'result'
      )
      WHEN 'destroy_call' THEN NOT EXISTS (
        SELECT 1 FROM calls c WHERE c.id::text = t.before ->> 'callId' AND c.event_id = t.subject_id AND c.state = 'soft_destroyed'
      )
      ELSE false END
    UNION ALL
    SELECT 1, format('user %s', u.id), format('the newest line about roles says %s', said.roles), u.id, NULL::bigint, NULL::bigint, u.id
    FROM (
      SELECT DISTINCT ON (t.subject_id) t.subject_id, t.after -> 'roles' AS roles FROM audit t
      WHERE t.subject_type = 'user' AND t.action = 'change_roles' ORDER BY t.subject_id, t.id DESC
    ) said JOIN users u ON u.id = said.subject_id AND u.deleted_at IS NULL
    WHERE said.roles <> (SELECT coalesce(jsonb_agg(r.role ORDER BY r.role), '[]') FROM user_roles r WHERE r.user_id = u.id)
    UNION ALL
    SELECT 1, format('user %s', u.id), format('the newest line about hosts of session %s says %s', z.id, said.action), u.id,
      NULL::bigint, NULL::bigint, u.id
    FROM (
      SELECT DISTINCT ON (t.session_id, t.subject_id) t.session_id, t.subject_id, t.action FROM audit t
      WHERE t.subject_type = 'user' AND t.action IN ('add_session_host', 'remove_session_host')
      ORDER BY t.session_id, t.subject_id, t.id DESC
    ) said JOIN users u ON u.id = said.subject_id AND u.deleted_at IS NULL JOIN sessions z ON z.id = said.session_id
    WHERE (said.action = 'add_session_host') <> EXISTS (
      SELECT 1 FROM session_hosts h WHERE h.session_id = z.id AND h.user_id = u.id)
  ) w ON true
  UNION ALL
  SELECT 'lock tokens from the future', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('%s %s', q.kind, q.id), format('token %s', q.fence), NULL::bigint, NULL::bigint, NULL::bigint, q.id
    FROM (
      SELECT 'event' AS kind, id, fence FROM events
      UNION ALL SELECT 'session', id, fence FROM sessions
      UNION ALL SELECT 'account', id, fence FROM accounts
    ) q WHERE q.fence > extract(epoch FROM clock_timestamp() + interval '1 day') * 1000000
  ) w ON true
  UNION ALL
  SELECT 'seals that do not follow from what they seal', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('seal %s of %s', s.id, s.sealed_at), format('journals %s, audit %s', s.journals, s.audits), NULL::bigint,
      NULL::bigint, NULL::bigint, s.id
    FROM (
      SELECT *, lag(id) OVER (ORDER BY id) AS before_id, lag(hash) OVER (ORDER BY id) AS before_hash FROM journal_seals
    ) s
    WHERE previous_id IS DISTINCT FROM before_id OR hash <> hash_sealed(coalesce(before_hash, ''), journals, audits)
  ) w ON true
  UNION ALL
  SELECT 'journals and audit rows that appeared behind the seals', w.* FROM (VALUES (0)) o LEFT JOIN (
    SELECT 1, format('journal %s', j.id), j.kind, NULL::bigint, j.event_id, NULL::bigint, j.id
    FROM journal j
    WHERE j.id <= (SELECT through_journal FROM journal_seals WHERE id = settled_seal())
      AND NOT (SELECT range_agg(journals) FROM journal_seals) @> j.id
    UNION ALL
    SELECT 1, format('audit row %s', a.id), a.action, a.actor_id, NULL::bigint, NULL::bigint, a.id
    FROM audit a
    WHERE a.id <= (SELECT through_audit FROM journal_seals WHERE id = settled_seal())
      AND NOT (SELECT range_agg(audits) FROM journal_seals) @> a.id
  ) w ON true;

-- tampering: the checks of tampered_rows, counted. Release 0.3.0 has the right to read it.
CREATE VIEW tampering AS
  SELECT name, coalesce(sum(bad), 0)::bigint AS bad FROM tampered_rows GROUP BY name;
