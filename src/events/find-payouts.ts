import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { listPayoutGroups } from "#db/ledger/list-payout-groups.ts";
import { results } from "#db/schema/scores.ts";
import type { SettlementAnswer } from "./contract.ts";

/** So many groups are told; the others are counted. */
const GROUPS_MAX = 50;
const KEPT_MAX = 200;

type Payouts = Pick<SettlementAnswer, "callersCount" | "callsCount" | "payouts" | "payoutGroupsCount">;

export const nothingPaid: Payouts = { callersCount: 0, callsCount: 0, payouts: [], payoutGroupsCount: 0 };

/** By settlement. One never changes, thousands may look at it, and grouping a million calls takes a second. */
const kept = new WeakMap<Queryable, Map<number, Promise<Payouts>>>();

/** What a settlement paid, in groups of calls that are alike. */
export function findPayouts(db: Queryable, eventId: number, settlementId: number): Promise<Payouts> {
  const known = kept.get(db) ?? new Map<number, Promise<Payouts>>();
  kept.set(db, known);
  const found = known.get(settlementId);
  if (found !== undefined) return found;
  const payouts = readPayouts(db, eventId, settlementId);
  known.set(settlementId, payouts);
  payouts.catch(() => known.delete(settlementId));
  const [oldest] = known.keys();
  if (known.size > KEPT_MAX && oldest !== undefined) known.delete(oldest);
  return payouts;
}

async function readPayouts(db: Queryable, eventId: number, settlementId: number): Promise<Payouts> {
  const [groups, callersCount] = await Promise.all([
    listPayoutGroups(db, { settlementId, limit: GROUPS_MAX }),
    db.$count(results, eq(results.eventId, eventId)),
  ]);
  return {
    callersCount,
    callsCount: groups[0]?.totalCount ?? 0,
    payouts: groups.map(({ groupsCount: _groups, totalCount: _total, ...group }) => group),
    payoutGroupsCount: groups[0]?.groupsCount ?? 0,
  };
}
