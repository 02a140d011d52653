import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow, queryRows, wholeNumber } from "#db/ledger/query.ts";
import { readStatement } from "#db/ledger/spending.ts";
import { statementSums } from "#db/lists/spending.ts";
import { csvHeader, csvLine } from "#src/base/csv.ts";
import { invalid } from "#src/base/refusal.ts";
import { download } from "#src/http/download.ts";
import { dollarsOf } from "#src/http/money.ts";
import { site } from "#src/settings/contract.ts";
import { sumLabel } from "./contract.ts";
import type { PeriodQuery, SiteSpending, StatementView } from "./schemas.ts";

const DAY_MS = 86_400_000;
const DATE_LENGTH = 10;

/** The sums of a period, by default of this month up to now. @throws Refusal 422 for a period that ends before it begins. */
export async function showStatement(
  db: Queryable,
  { userId, query, now }: { userId: number; query: PeriodQuery; now: Date },
): Promise<StatementView> {
  const today = now.toISOString().slice(0, DATE_LENGTH);
  const { from = `${today.slice(0, -2)}01`, to = today > from ? today : from } = query;
  if (to < from) throw invalid({ to: ["must be after from"] });
  const sums = await readStatement(db, {
    userId,
    from: new Date(from),
    to: new Date(new Date(to).getTime() + DAY_MS),
  });
  return { from, to, ...sums, netCents: sums.wonCents + sums.lostCents };
}

/** The same as a CSV file, a line for each sum. */
export function writeStatement(statement: StatementView): Response {
  const { from, to } = statement;
  const rows = statementSums.map((sum) => csvLine([from, to, sumLabel(sum), dollarsOf(statement[sum])]));
  const text = csvHeader(["from", "to", "what", "amount"]) + rows.join("");
  return download(text, `${site().slug}-statement-${from}-${to}.csv`);
}

const dayRow = v.object({
  day: v.string(),
  depositedCents: wholeNumber,
  depositsCount: wholeNumber,
  breaksBegun: wholeNumber,
});
const countsRow = v.object({ playersAtLimit: wholeNumber, playersOnBreak: wholeNumber });

/** The sums of all players of the last 30 days, without a name. */
export async function showSiteSpending(db: Queryable, siteCents: number | null): Promise<SiteSpending> {
  const days = await queryRows(db, dayRow)`
    SELECT to_char(d.day, 'YYYY-MM-DD') AS day, coalesce(p.cents, 0) AS "depositedCents", coalesce(p.n, 0) AS "depositsCount",
      coalesce(b.n, 0) AS "breaksBegun"
    FROM generate_series(0, 29) AS back
      CROSS JOIN LATERAL (SELECT (game_now() AT TIME ZONE 'UTC')::date - back AS day) d
      LEFT JOIN (
        SELECT (j.created_at AT TIME ZONE 'UTC')::date AS day, sum(p.amount_cents - p.refunded_cents) AS cents, count(*) AS n
        FROM payments p JOIN journal j ON j.id = p.journal_id
        WHERE p.created_at > clock_timestamp() - interval '31 days' GROUP BY 1
      ) p ON p.day = d.day
      LEFT JOIN (
        SELECT (began_at AT TIME ZONE 'UTC')::date AS day, count(*) AS n FROM breaks
        WHERE began_at > game_now() - interval '31 days' AND NOT resumed AND actor_id IS NULL GROUP BY 1
      ) b ON b.day = d.day
    ORDER BY 1 DESC`;
  return { days, ...(await countPlayers(db, siteCents)) };
}

/** How many players have nothing left of a limit, and how many are on a break. */
export function countPlayers(
  db: Queryable,
  siteCents: number | null,
): Promise<Pick<SiteSpending, "playersAtLimit" | "playersOnBreak">> {
  return queryRow(db, countsRow)`SELECT (
      SELECT count(*) FROM (
        SELECT DISTINCT user_id FROM payments WHERE created_at > clock_timestamp() - interval '31 days'
      ) u WHERE EXISTS (SELECT 1 FROM deposit_room(u.user_id, ${siteCents}) r WHERE r.left_cents = 0)
    ) AS "playersAtLimit",
    (SELECT count(DISTINCT user_id) FROM breaks WHERE ends_at > game_now()) AS "playersOnBreak"`;
}
