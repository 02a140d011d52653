import { and, eq, not, or, sql } from "drizzle-orm";
import { isUnpaid } from "#db/ledger/list-unpaid-settlements.ts";
import { events } from "#db/schema/events.ts";
import { failingRows } from "#db/schema/failing-rows.ts";
import { chargebacks } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import type { RowKind } from "#src/base/try-rows.ts";

const { kind, rowId } = failingRows;
const ofKind = (name: RowKind) => eq(kind, name);

/**
 * Forgets that the work for rows has failed which something else than the sweep has done since: a job, a host, a message of the payment
 * provider. No sweep finds these rows again. The table is nearly always empty.
 */
export async function forgetDoneRows({ pool }: Pick<Deps, "pool">): Promise<void> {
  const isDue = sql`EXISTS (SELECT FROM ${events} WHERE ${events.id} = ${rowId} AND ${events.dueAt} < game_now())`;
  const isAsked = sql`EXISTS (SELECT FROM ${chargebacks} WHERE ${chargebacks.id} = ${rowId} AND ${chargebacks.state} = 'asked')`;
  await pool.db
    .delete(failingRows)
    .where(
      or(
        and(ofKind("due_event"), not(isDue)),
        and(ofKind("settlement"), not(isUnpaid(rowId))),
        and(ofKind("refund"), not(isAsked)),
      ),
    );
}
