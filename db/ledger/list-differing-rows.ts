import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { tamperingQueries } from "./tampering-queries.ts";

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
