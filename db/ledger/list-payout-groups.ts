import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { outcomes } from "../lists/calls.ts";
import { sides } from "../lists/spots.ts";
import { queryRows, wholeNumber } from "./query.ts";

const payoutGroup = v.object({
  side: v.picklist(sides),
  outcome: v.picklist(outcomes),
  wagerCents: wholeNumber,
  payoutCents: wholeNumber,
  callsCount: wholeNumber,
  /** The number of all groups, also beyond the limit. */
  groupsCount: wholeNumber,
  totalCount: wholeNumber,
});
export type PayoutGroup = v.InferOutput<typeof payoutGroup>;

/** The payouts of a settlement without players: calls with the same side, wager and payout are one group. Winners first, then
 * larger wagers first. */
export function listPayoutGroups(
  db: Queryable,
  { settlementId, limit }: { settlementId: number; limit: number },
): Promise<PayoutGroup[]> {
  return queryRows(
    db,
    payoutGroup,
    sql`SELECT p.side, l.outcome, c.wager_cents AS "wagerCents", l.payout_cents AS "payoutCents",
        count(*) AS "callsCount", count(*) OVER () AS "groupsCount", sum(count(*)) OVER () AS "totalCount"
      FROM settlement_lines l JOIN calls c ON c.id = l.call_id JOIN spots p ON p.id = c.spot_id
      WHERE l.settlement_id = ${settlementId}
      GROUP BY p.side, l.outcome, c.wager_cents, l.payout_cents
      ORDER BY array_position(ARRAY['won', 'lost', 'refunded'], l.outcome), c.wager_cents DESC, l.payout_cents DESC, p.side
      LIMIT ${limit}`,
  );
}
