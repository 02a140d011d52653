import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const id = v.nullable(wholeNumber);
const differingRow = v.object({
  /** What it is: "wallet 12". */
  label: v.string(),
  /** In which way it differs. */
  detail: v.string(),
  userId: id,
  eventId: id,
  callId: id,
});
/** One thing that a check of the reconcile view counts. */
export type DifferingRow = v.InferOutput<typeof differingRow>;

/**
 * Names things that a check has counted, the lowest first.
 * @param check its name in the reconcile view; of one that only adds up there are no rows.
 */
export async function listDifferingRows(
  db: Queryable,
  check: string,
  { limit }: { limit: number },
): Promise<DifferingRow[]> {
  const rows = rowsOf[check];
  if (rows === undefined) return [];
  return queryRows(
    db,
    differingRow,
    sql`SELECT label, detail, user_id AS "userId", event_id AS "eventId", call_id AS "callId"
      FROM (${rows}) AS q (label, detail, user_id, event_id, call_id, n) ORDER BY n LIMIT ${limit}`,
  );
}

const unbalanced = sql`SELECT format('journal %s, %s', j.id, j.kind), format('off by %s cents', sum(e.amount_cents)),
    NULL::bigint, j.event_id, NULL::bigint, j.id
  FROM entries e JOIN journal j ON j.id = e.journal_id GROUP BY j.id HAVING sum(e.amount_cents) <> 0`;

const heldOtherwise = sql`SELECT format('%s %s', a.kind, a.id),
    format('holds %s cents of %s calls, its active calls %s of %s', a.held_cents, a.held_calls, coalesce(c.wager, 0),
      coalesce(c.n, 0)),
    a.user_id, NULL::bigint, NULL::bigint, a.id
  FROM accounts a LEFT JOIN (
    SELECT account_id, count(*) AS n, sum(wager_cents) AS wager FROM calls WHERE state IN ('placed', 'closed') GROUP BY 1
  ) c ON c.account_id = a.id
  WHERE a.held_cents <> coalesce(c.wager, 0) OR a.held_calls <> coalesce(c.n, 0)`;

/** Calls `c` of events `e` that a condition finds. */
const callsThat = (which: SQL, detail: SQL = sql`format('%s, of round %s', c.state, c.round)`) =>
  sql`SELECT format('call %s', c.id), ${detail}, c.user_id, c.event_id, c.id, c.id
    FROM calls c JOIN events e ON e.id = c.event_id WHERE ${which}`;

/** Settlements `s` of events `e` that a condition finds. */
const settlementsThat = (which: SQL, detail: SQL) =>
  sql`SELECT format('settlement %s', s.id), ${detail}, NULL::bigint, s.event_id, NULL::bigint, s.id
    FROM settlements s JOIN events e ON e.id = s.event_id WHERE ${which}`;

/** Payments `p` that a condition finds. */
const paymentsThat = (which: SQL, detail: SQL) =>
  sql`SELECT format('payment %s', p.id), ${detail}, p.user_id, NULL::bigint, NULL::bigint, p.id
    FROM payments p WHERE ${which}`;

const takenOf = sql`coalesce((
  SELECT sum(amount_cents) FROM chargebacks WHERE payment_id = p.id AND state = 'taken'), 0)`;

/** A settlement `s` that has not come to call `c` yet. */
const waitsFor = sql`NOT s.superseded AND s.paid_at IS NULL
  AND (s.paid_from_user_id IS NULL OR c.user_id < s.paid_from_user_id)`;

/** By the names of the checks. Each answers label, detail, user, event, call, and what the rows are ordered by. */
const rowsOf: Record<string, SQL> = {
  "entries do not sum to zero": unbalanced,
  "journals that do not balance": unbalanced,
  "accounts that do not follow their entries": sql`SELECT format('%s %s', a.kind, a.id),
      format('says %s cents in %s entries, its entries %s in %s', a.posted_cents, a.version, coalesce(e.amount, 0),
        coalesce(e.n, 0)),
      a.user_id, NULL::bigint, NULL::bigint, a.id
    FROM accounts a LEFT JOIN (
      SELECT account_id, sum(amount_cents) AS amount, count(*) AS n FROM entries GROUP BY 1
    ) e ON e.account_id = a.id
    WHERE a.posted_cents <> coalesce(e.amount, 0) OR a.version <> coalesce(e.n, 0)`,
  "wallets that do not hold their active calls": heldOtherwise,
  "total held is not total exposure": heldOtherwise,
  "overdrawn wallets": sql`SELECT format('wallet %s', id), format('%s cents, %s held', posted_cents, held_cents), user_id,
      NULL::bigint, NULL::bigint, id
    FROM accounts WHERE kind = 'wallet' AND posted_cents - held_cents < 0`,
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
  "settlements that do not conserve the pool": settlementsThat(
    sql`(s.pool_cents + s.refunded_cents, s.calls_count) <> (
      SELECT coalesce(sum(payout_cents), 0), count(*) FROM settlement_lines WHERE settlement_id = s.id)`,
    sql`format('%s calls, pool %s cents, refunded %s', s.calls_count, s.pool_cents, s.refunded_cents)`,
  ),
  "calls whose entries are not payout minus wager": callsThat(
    sql`(SELECT coalesce(sum(amount_cents), 0) FROM entries WHERE call_id = c.id)
      <> CASE WHEN c.state = 'resolved' THEN c.payout_cents - c.wager_cents ELSE 0 END`,
    sql`format('%s, wager %s cents, payout %s', c.state, c.wager_cents, coalesce(c.payout_cents::text, 'none'))`,
  ),
  "resolved calls that differ from the live settlement": callsThat(
    sql`c.state = 'resolved' AND NOT EXISTS (
      SELECT 1 FROM settlements s JOIN settlement_lines l ON l.settlement_id = s.id
      WHERE s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded
        AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome)
      AND NOT EXISTS (
        SELECT 1 FROM settlements s JOIN settlements b ON b.event_id = s.event_id AND b.round = s.round AND b.superseded
          JOIN settlement_lines l ON l.settlement_id = b.id
        WHERE s.event_id = c.event_id AND s.round = c.round AND ${waitsFor}
          AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome)`,
    sql`format('%s, payout %s cents', c.outcome, c.payout_cents)`,
  ),
  "events whose result is not the live settlement": sql`SELECT format('event %s', e.id),
      format('says %s, was settled %s', coalesce(e.result, 'nothing'), coalesce(s.result, 'never')),
      NULL::bigint, e.id, NULL::bigint, e.id
    FROM events e LEFT JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
    WHERE e.result IS DISTINCT FROM s.result`,
  "active calls on a resolved event": callsThat(
    sql`e.result IS NOT NULL AND c.state IN ('placed', 'closed') AND NOT EXISTS (
      SELECT 1 FROM settlements s WHERE c.state = 'closed' AND s.event_id = e.id AND s.round = c.round AND ${waitsFor})`,
  ),
  "settlements that have not paid as many calls as they say": settlementsThat(
    sql`NOT s.superseded AND s.paid_at IS NULL AND s.paid_calls_count <> (
      SELECT count(*) FROM calls c WHERE c.event_id = s.event_id AND c.round = s.round AND c.state = 'resolved'
        AND c.user_id >= s.paid_from_user_id)`,
    sql`format('says %s of %s', s.paid_calls_count, s.calls_count)`,
  ),
  "placed calls on an event that is not open": callsThat(sql`c.state = 'placed' AND e.state <> 'open'`),
  "active calls of an earlier round": callsThat(sql`c.state IN ('placed', 'closed') AND c.round <> e.round`),
  "calls and settlements of a round to come": sql`${callsThat(sql`c.round > e.round`)} UNION ALL ${settlementsThat(
    sql`s.round > e.round`,
    sql`format('of round %s', s.round)`,
  )}`,
  "earlier rounds settled otherwise than void": settlementsThat(
    sql`s.round < e.round AND NOT s.superseded AND s.result <> 'void'`,
    sql`format('%s, of round %s', s.result, s.round)`,
  ),
  "players over the limit of an event": sql`SELECT format('player %s', c.user_id),
      format('%s cents on an event that takes %s', sum(c.wager_cents), e.max_wager_cents),
      c.user_id, e.id, NULL::bigint, c.user_id
    FROM calls c JOIN events e ON e.id = c.event_id AND e.round = c.round WHERE c.state <> 'soft_destroyed'
    GROUP BY e.id, c.user_id HAVING sum(c.wager_cents) > e.max_wager_cents`,
  "calls without their wallet or spot": callsThat(
    sql`NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = c.account_id AND a.user_id = c.user_id AND a.kind = 'wallet')
      OR NOT EXISTS (SELECT 1 FROM spots s WHERE s.id = c.spot_id AND s.event_id = c.event_id)`,
  ),
  "payments without their journals": paymentsThat(
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
  "payments whose chargebacks do not add up": paymentsThat(
    sql`p.refunded_cents <> ${takenOf}`,
    sql`format('says %s cents, its chargebacks %s', p.refunded_cents, ${takenOf})`,
  ),
};
