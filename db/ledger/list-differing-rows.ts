import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const selectJournals = (ids: SQL) =>
  sql`SELECT format('journal %s', j.id), j.kind, NULL::bigint, j.event_id, NULL::bigint, j.id FROM journal j WHERE j.id IN (${ids})`;

/** Journals of a kind with their player, and what they gave the player from an account of this kind, in cents; and the wallet after it. */
const bookedFrom = (kind: "grant" | "adjust", account: "promo" | "house") =>
  sql`SELECT j.id, j.idempotency_key, j.actor_id, j.created_at, max(a.user_id) AS user_id,
      sum(-e.amount_cents) FILTER (WHERE a.kind = ${sql.raw(`'${account}'`)}) AS given,
      sum(e.balance_after_cents + e.held_after_cents) FILTER (WHERE a.kind = 'wallet') AS wallet_cents
    FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id
    WHERE j.kind = ${sql.raw(`'${kind}'`)} GROUP BY j.id`;

/** The rows that the checks of the view tampering count, by the name of the check. The columns are those of listDifferingRows. */
const tamperingQueries: Record<string, SQL> = {
  "journals that book what their kind does not": selectJournals(sql`
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
    GROUP BY j.id, a.user_id HAVING sum(e.amount_cents) <> 0`),
  "grants that no rule gives": sql`SELECT format('journal %s, %s', id, idempotency_key), format('%s cents', given), user_id,
      NULL::bigint, NULL::bigint, id
    FROM (${bookedFrom("grant", "promo")}) AS g
    WHERE CASE WHEN given < 0 THEN idempotency_key <> 'taken-back-' || user_id
        OR EXISTS (SELECT 1 FROM calls c WHERE c.user_id = g.user_id)
      ELSE given > grant_max(idempotency_key, user_id, created_at) OR starts_with(idempotency_key, 'grant-house-')
        AND wallet_cents <> grant_max(idempotency_key, user_id, created_at) END`,
  "adjustments that no admin has made": sql`SELECT format('journal %s, by user %s', id, coalesce(actor_id::text, 'none')),
      format('%s cents', given), user_id, NULL::bigint, NULL::bigint, id
    FROM (${bookedFrom("adjust", "house")}) AS g
    WHERE actor_id IS NULL OR actor_id = user_id OR NOT EXISTS (
      SELECT 1 FROM audit t
      WHERE t.subject_type = 'user' AND t.subject_id = g.user_id AND t.action = 'adjust_wallet' AND t.actor_id = g.actor_id
        AND t.after ->> 'journalId' = g.id::text AND t.after ->> 'amountCents' = g.given::text
    )`,
  "merges of other money than a guest has won": sql`SELECT format('guest %s', g.id), format('merged into user %s', g.merged_into),
      g.id, NULL::bigint, NULL::bigint, g.id
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
      ))`,
  "calls refunded after the close without a cause": sql`SELECT format('call %s', c.id),
      format('ended %s, by %s', c.ended_at, coalesce(c.refunded_by, 'its player')), c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id
    WHERE c.state = 'soft_destroyed' AND CASE
      WHEN c.refunded_by IS NULL THEN c.round = e.round AND e.closed_at > e.opened_at AND c.ended_at > e.closed_at
      ELSE NOT EXISTS (
        SELECT 1 FROM audit a WHERE a.subject_type = 'event' AND a.subject_id = c.event_id AND CASE c.refunded_by
          WHEN 'admin' THEN a.action = 'destroy_call' AND a.before ->> 'callId' = c.id::text
          ELSE a.action = c.refunded_by END)
      END`,
  "calls placed after the close": sql`SELECT format('call %s', c.id),
      format('placed %s, its event closes %s', c.placed_at, e.closes_at), c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id AND e.round = c.round
    WHERE c.state <> 'soft_destroyed' AND c.placed_at >= e.closes_at`,
  "calls dated before their event or before earlier calls": sql`SELECT format('call %s', q.id),
      format('placed %s, its event opened %s, an earlier call %s', q.placed_at, e.opened_at, q.newest), q.user_id, e.id, q.id, q.id
    FROM (
      SELECT c.*, max(c.placed_at) OVER (PARTITION BY c.event_id ORDER BY c.id) AS newest FROM calls c
    ) q JOIN events e ON e.id = q.event_id
    WHERE q.placed_at < q.newest - interval '1 minute'
      OR (q.round = e.round AND q.placed_at < e.opened_at AND coalesce(q.ended_at, 'infinity') >= e.opened_at)`,
  "payment flags closed by nobody": sql`SELECT format('payment flag %s', f.id), format('%s, closed %s', f.code, f.closed_at),
      NULL::bigint, NULL::bigint, NULL::bigint, f.id
    FROM payment_flags f
    WHERE f.closed_at IS NOT NULL AND f.closed_by IS NULL AND NOT EXISTS (
      SELECT 1 FROM webhook_events m WHERE m.provider = f.provider AND m.provider_event_id = f.message_id
    ) AND NOT EXISTS (
      SELECT 1 FROM chargebacks c WHERE c.payment_id = f.payment_id AND c.provider_ref IS NOT NULL AND f.message_id = 'refund-' || c.id
    )`,
  "audit lines of what was never done": sql`SELECT format('audit row %s', t.id), format('%s of %s %s', t.action, t.subject_type,
      t.subject_id), t.actor_id, NULL::bigint, NULL::bigint, t.id
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
    SELECT format('user %s', u.id), format('the newest line about roles says %s', said.roles), u.id, NULL::bigint, NULL::bigint, u.id
    FROM (
      SELECT DISTINCT ON (t.subject_id) t.subject_id, t.after -> 'roles' AS roles FROM audit t
      WHERE t.subject_type = 'user' AND t.action = 'change_roles' ORDER BY t.subject_id, t.id DESC
    ) said JOIN users u ON u.id = said.subject_id AND u.deleted_at IS NULL
    WHERE said.roles <> (SELECT coalesce(jsonb_agg(r.role ORDER BY r.role), '[]') FROM user_roles r WHERE r.user_id = u.id)
    UNION ALL
    SELECT format('user %s', u.id), format('the newest line about hosts of session %s says %s', z.id, said.action), u.id,
      NULL::bigint, NULL::bigint, u.id
    FROM (
      SELECT DISTINCT ON (t.session_id, t.subject_id) t.session_id, t.subject_id, t.action FROM audit t
      WHERE t.subject_type = 'user' AND t.action IN ('add_session_host', 'remove_session_host')
      ORDER BY t.session_id, t.subject_id, t.id DESC
    ) said JOIN users u ON u.id = said.subject_id AND u.deleted_at IS NULL JOIN sessions z ON z.id = said.session_id
    WHERE (said.action = 'add_session_host') <> EXISTS (
      SELECT 1 FROM session_hosts h WHERE h.session_id = z.id AND h.user_id = u.id)`,
  "spots that do not show the result": sql`SELECT format('spot %s, %s', s.id, s.side),
      format('won: %s, the result is %s', coalesce(s.won::text, 'no word'), coalesce(e.result, 'open')),
      NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM spots s JOIN events e ON e.id = s.event_id
    WHERE s.state <> 'soft_destroyed'
      AND s.won IS DISTINCT FROM CASE WHEN e.result IN ('true', 'false') THEN s.side = e.result END`,
  "seals that do not follow from what they seal": sql`SELECT format('seal %s of %s', s.id, s.sealed_at),
      format('journals %s, audit %s', s.journals, s.audits), NULL::bigint, NULL::bigint, NULL::bigint, s.id
    FROM (
      SELECT *, lag(id) OVER (ORDER BY id) AS before_id, lag(hash) OVER (ORDER BY id) AS before_hash FROM journal_seals
    ) s
    WHERE previous_id IS DISTINCT FROM before_id OR hash <> hash_sealed(coalesce(before_hash, ''), journals, audits)`,
  "journals and audit rows that appeared behind the seals": sql`${selectJournals(sql`
      SELECT j.id FROM journal j WHERE j.id <= (SELECT through_journal FROM journal_seals WHERE id = settled_seal())
        AND NOT (SELECT range_agg(journals) FROM journal_seals) @> j.id`)}
    UNION ALL
    SELECT format('audit row %s', a.id), a.action, a.actor_id, NULL::bigint, NULL::bigint, a.id
    FROM audit a WHERE a.id <= (SELECT through_audit FROM journal_seals WHERE id = settled_seal())
      AND NOT (SELECT range_agg(audits) FROM journal_seals) @> a.id`,
};

const id = v.nullable(wholeNumber);
const differingRow = v.object({
  /** The row. Example: "wallet 12". */
  label: v.string(),
  /** The difference. Example: "150 cents, 200 held". */
  detail: v.string(),
  userId: id,
  eventId: id,
  callId: id,
});
/** One row that a check of the reconcile view counts. */
export type DifferingRow = v.InferOutput<typeof differingRow>;

/**
 * Lists rows that a check counts, lowest id first.
 * @param check its name in the reconcile view. A check that only compares two sums has no rows.
 */
export async function listDifferingRows(
  db: Queryable,
  check: string,
  { limit }: { limit: number },
): Promise<DifferingRow[]> {
  const query = queriesByCheck[check];
  if (query === undefined) return [];
  return queryRows(
    db,
    differingRow,
    sql`SELECT label, detail, user_id AS "userId", event_id AS "eventId", call_id AS "callId"
      FROM (${query}) AS q (label, detail, user_id, event_id, call_id, n) ORDER BY n LIMIT ${limit}`,
  );
}

const unbalancedJournals = sql`SELECT format('journal %s, %s', j.id, j.kind), format('off by %s cents', sum(e.amount_cents)),
    NULL::bigint, j.event_id, NULL::bigint, j.id
  FROM entries e JOIN journal j ON j.id = e.journal_id GROUP BY j.id HAVING sum(e.amount_cents) <> 0`;

const wrongHolds = sql`SELECT format('%s %s', a.kind, a.id),
    format('holds %s cents of %s calls, its active calls %s of %s', a.held_cents, a.held_calls, coalesce(c.wager, 0),
      coalesce(c.n, 0)),
    a.user_id, NULL::bigint, NULL::bigint, a.id
  FROM accounts a LEFT JOIN (
    SELECT account_id, count(*) AS n, sum(wager_cents) AS wager FROM calls WHERE state IN ('placed', 'closed') GROUP BY 1
  ) c ON c.account_id = a.id
  WHERE a.held_cents <> coalesce(c.wager, 0) OR a.held_calls <> coalesce(c.n, 0)`;

/** Selects calls `c` of events `e` by a condition. */
const selectCalls = (where: SQL, detail: SQL = sql`format('%s, of round %s', c.state, c.round)`) =>
  sql`SELECT format('call %s', c.id), ${detail}, c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id WHERE ${where}`;

/** Selects settlements `s` of events `e` by a condition. */
const selectSettlements = (where: SQL, detail: SQL) =>
  sql`SELECT format('settlement %s', s.id), ${detail}, NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM settlements s JOIN events e ON e.id = s.event_id WHERE ${where}`;

/** Selects payments `p` by a condition. */
const selectPayments = (where: SQL, detail: SQL) =>
  sql`SELECT format('payment %s', p.id), ${detail}, p.user_id, NULL::bigint, NULL::bigint, p.id
    FROM payments p WHERE ${where}`;

const takenCents = sql`coalesce((
  SELECT sum(amount_cents) FROM chargebacks WHERE payment_id = p.id AND state = 'taken'), 0)`;

/** Settlement `s` has not paid the player of call `c` yet. */
const hasNotPaid = sql`NOT s.superseded AND s.paid_at IS NULL
  AND (s.paid_from_user_id IS NULL OR c.user_id < s.paid_from_user_id)`;

/** Queries by the name of the check. Columns: label, detail, user, event, call, and the number to order by. */
const queriesByCheck: Record<string, SQL> = {
  ...tamperingQueries,
  "entries do not sum to zero": unbalancedJournals,
  "journals that do not balance": unbalancedJournals,
  "accounts that do not follow their entries": sql`SELECT format('%s %s', a.kind, a.id),
      format('says %s cents in %s entries, its entries %s in %s', a.posted_cents, a.version, coalesce(e.amount, 0),
        coalesce(e.n, 0)),
      a.user_id, NULL::bigint, NULL::bigint, a.id
    FROM accounts a LEFT JOIN (
      SELECT account_id, sum(amount_cents) AS amount, count(*) AS n FROM entries GROUP BY 1
    ) e ON e.account_id = a.id
    WHERE a.posted_cents <> coalesce(e.amount, 0) OR a.version <> coalesce(e.n, 0)`,
  "wallets that do not hold their active calls": wrongHolds,
  "total held is not total exposure": wrongHolds,
  "overdrawn wallets": sql`SELECT format('wallet %s', id), format('%s cents, %s held', posted_cents, held_cents), user_id,
      NULL::bigint, NULL::bigint, id
    FROM accounts WHERE kind = 'wallet' AND posted_cents - held_cents < 0`,
  "debts of players who have money available": sql`SELECT format('wallet %s', w.id),
      format('owes %s cents, %s available', -r.posted_cents, w.posted_cents - w.held_cents), w.user_id, NULL::bigint,
      NULL::bigint, w.id
    FROM accounts r JOIN accounts w ON w.user_id = r.user_id AND w.kind = 'wallet'
    WHERE r.kind = 'receivable' AND r.posted_cents < 0 AND w.posted_cents > w.held_cents`,
  "entries that do not continue the one before": sql`SELECT format('entry %s', q.id),
      format('begins at %s cents, the one before ended at %s', q.before, q.previous),
      a.user_id, NULL::bigint, q.call_id, q.id
    FROM (
      SELECT id, account_id, call_id, balance_after_cents - amount_cents AS before,
        coalesce(lag(balance_after_cents) OVER (PARTITION BY account_id ORDER BY account_version), 0) AS previous
      FROM entries
    ) q JOIN accounts a ON a.id = q.account_id WHERE q.before <> q.previous`,
  "spots whose counters are not their calls": sql`SELECT format('spot %s, %s', s.id, s.side),
      format('counts %s calls and %s cents, they are %s and %s', s.calls_count, s.pool_cents, coalesce(c.n, 0),
        coalesce(c.wager, 0)),
      NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM spots s JOIN events e ON e.id = s.event_id LEFT JOIN (
      SELECT spot_id, round, count(*) AS n, sum(wager_cents) AS wager FROM calls
      WHERE state <> 'soft_destroyed' GROUP BY 1, 2
    ) c ON c.spot_id = s.id AND c.round = e.round
    WHERE s.calls_count <> coalesce(c.n, 0) OR s.pool_cents <> coalesce(c.wager, 0)`,
  "settlements that do not conserve the pool": selectSettlements(
    sql`(s.pool_cents + s.refunded_cents, s.calls_count) <> (
      SELECT coalesce(sum(payout_cents), 0), count(*) FROM settlement_lines WHERE settlement_id = s.id)`,
    sql`format('%s calls, pool %s cents, refunded %s', s.calls_count, s.pool_cents, s.refunded_cents)`,
  ),
  "calls whose entries are not payout minus wager": selectCalls(
    sql`(SELECT coalesce(sum(amount_cents), 0) FROM entries WHERE call_id = c.id)
      <> CASE WHEN c.state = 'resolved' THEN c.payout_cents - c.wager_cents ELSE 0 END`,
    sql`format('%s, wager %s cents, payout %s', c.state, c.wager_cents, coalesce(c.payout_cents::text, 'none'))`,
  ),
  "resolved calls that differ from the live settlement": selectCalls(
    sql`c.state = 'resolved' AND NOT EXISTS (
      SELECT 1 FROM settlements s JOIN settlement_lines l ON l.settlement_id = s.id
      WHERE s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded
        AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome)
      AND NOT EXISTS (
        SELECT 1 FROM settlements s JOIN settlements b ON b.event_id = s.event_id AND b.round = s.round AND b.superseded
          JOIN settlement_lines l ON l.settlement_id = b.id
        WHERE s.event_id = c.event_id AND s.round = c.round AND ${hasNotPaid}
          AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome)`,
    sql`format('%s, payout %s cents', c.outcome, c.payout_cents)`,
  ),
  "events whose result is not the live settlement": sql`SELECT format('event %s', e.id),
      format('says %s, was settled %s', coalesce(e.result, 'nothing'), coalesce(s.result, 'never')),
      NULL::bigint, e.id, NULL::bigint, e.id
    FROM events e LEFT JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
    WHERE e.result IS DISTINCT FROM s.result OR (e.result IS NOT NULL AND e.effective_at IS DISTINCT FROM s.effective_at)`,
  "active calls on a resolved event": selectCalls(
    sql`e.result IS NOT NULL AND c.state IN ('placed', 'closed') AND NOT EXISTS (
      SELECT 1 FROM settlements s WHERE c.state = 'closed' AND s.event_id = e.id AND s.round = c.round AND ${hasNotPaid})`,
  ),
  "settlements that have not paid as many calls as they say": selectSettlements(
    sql`NOT s.superseded AND s.paid_at IS NULL AND s.paid_calls_count <> (
      SELECT count(*) FROM calls c WHERE c.event_id = s.event_id AND c.round = s.round AND c.state = 'resolved'
        AND c.user_id >= s.paid_from_user_id)`,
    sql`format('says %s of %s', s.paid_calls_count, s.calls_count)`,
  ),
  "placed calls on an event that is not open": selectCalls(sql`c.state = 'placed' AND e.state <> 'open'`),
  "closed calls on an open event": selectCalls(sql`c.state = 'closed' AND e.state = 'open'`),
  "active calls of an earlier round": selectCalls(
    sql`c.state IN ('placed', 'closed') AND c.round <> e.round`,
  ),
  "calls and settlements of a round to come": sql`${selectCalls(sql`c.round > e.round`)} UNION ALL ${selectSettlements(
    sql`s.round > e.round`,
    sql`format('of round %s', s.round)`,
  )}`,
  "earlier rounds settled otherwise than void": selectSettlements(
    sql`s.round < e.round AND NOT s.superseded AND s.result <> 'void'`,
    sql`format('%s, of round %s', s.result, s.round)`,
  ),
  "players over the limit of an event": sql`SELECT format('player %s', c.user_id),
      format('%s cents on an event that takes %s', sum(c.wager_cents), e.max_wager_cents),
      c.user_id, e.id, NULL::bigint, c.user_id
    FROM calls c JOIN events e ON e.id = c.event_id AND e.round = c.round WHERE c.state <> 'soft_destroyed'
    GROUP BY e.id, c.user_id HAVING sum(c.wager_cents) > e.max_wager_cents`,
  "calls without their wallet or spot": selectCalls(
    sql`NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = c.account_id AND a.user_id = c.user_id AND a.kind = 'wallet')
      OR NOT EXISTS (SELECT 1 FROM spots s WHERE s.id = c.spot_id AND s.event_id = c.event_id)`,
  ),
  "payments without their journals": selectPayments(
    sql`(p.state IN ('succeeded', 'refunded')) <> EXISTS (
      SELECT 1 FROM journal WHERE id = p.journal_id AND kind = 'deposit')`,
    sql`p.state`,
  ),
  "chargebacks without their journals": sql`SELECT format('chargeback %s', c.id), format('%s, %s', c.cause, c.state),
      p.user_id, NULL::bigint, NULL::bigint, c.id
    FROM chargebacks c JOIN payments p ON p.id = c.payment_id
      LEFT JOIN journal t ON t.id = c.journal_id AND t.kind = 'chargeback'
      LEFT JOIN journal r ON r.id = c.return_journal_id AND r.kind = 'chargeback'
    WHERE (c.journal_id IS NOT NULL) <> (t.id IS NOT NULL) OR (c.return_journal_id IS NOT NULL) <> (r.id IS NOT NULL)`,
  "accounts that do not count their moves and calls": sql`SELECT format('%s %s', a.kind, a.id),
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
      <> (coalesce(c.moves, 0) + coalesce(e.listed, 0), coalesce(c.recorded, 0), coalesce(c.cancelled, 0),
        coalesce(c.resolved, 0))`,
  "sessions that do not count their events and registrations": sql`SELECT format('session %s', s.slug),
      format('counts %s events and %s registrations, they are %s and %s', coalesce(k.events_count, 0),
        coalesce(k.registrations_count, 0), coalesce(e.n, 0), coalesce(r.n, 0)),
      NULL::bigint, NULL::bigint, NULL::bigint, s.id
    FROM sessions s LEFT JOIN session_counts k ON k.session_id = s.id LEFT JOIN (
      SELECT session_id, count(*) AS n FROM events WHERE state NOT IN ('hidden', 'soft_destroyed') GROUP BY 1
    ) e ON e.session_id = s.id LEFT JOIN (
      SELECT session_id, count(*) AS n FROM registrations GROUP BY 1
    ) r ON r.session_id = s.id
    WHERE (coalesce(k.events_count, 0), coalesce(k.registrations_count, 0)) <> (coalesce(e.n, 0), coalesce(r.n, 0))`,
  "payments whose chargebacks do not add up": selectPayments(
    sql`p.refunded_cents <> ${takenCents}`,
    sql`format('says %s cents, its chargebacks %s', p.refunded_cents, ${takenCents})`,
  ),
};
