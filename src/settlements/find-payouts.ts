import type { Queryable } from "#db/client.ts";
import { countCallers } from "#db/ledger/count-callers.ts";
import { listPayoutGroups } from "#db/ledger/list-payout-groups.ts";
import type { PayoutGroupView } from "./schemas.ts";

/** So many groups are told; the others are counted. */
const GROUPS_MAX = 50;
const KEPT_MAX = 200;

type Payouts = {
  callersCount: number;
  callsCount: number;
  payouts: PayoutGroupView[];
  payoutGroupsCount: number;
};

export const nothingPaid: Payouts = { callersCount: 0, callsCount: 0, payouts: [], payoutGroupsCount: 0 };

/** By settlement. One never changes, thousands may look at it, and grouping a million calls takes a second. */
const kept = new WeakMap<Queryable, Map<number, Promise<Payouts>>>();

/** What a settlement pays, in groups of calls that are alike: also while some of them are still to be paid. */
export function findPayouts(db: Queryable, settlementId: number): Promise<Payouts> {
  const known = kept.get(db) ?? new Map<number, Promise<Payouts>>();
  kept.set(db, known);
  const found = known.get(settlementId);
  if (found !== undefined) return found;
  const payouts = readPayouts(db, settlementId);
  known.set(settlementId, payouts);
  payouts.catch(() => known.delete(settlementId));
  const [oldest] = known.keys();
  if (known.size > KEPT_MAX && oldest !== undefined) known.delete(oldest);
  return payouts;
}

async function readPayouts(db: Queryable, settlementId: number): Promise<Payouts> {
  const [groups, callersCount] = await Promise.all([
    listPayoutGroups(db, { settlementId, limit: GROUPS_MAX }),
    countCallers(db, settlementId),
  ]);
  return {
    callersCount,
    callsCount: groups[0]?.totalCount ?? 0,
    payouts: groups.map(({ groupsCount: _groups, totalCount: _total, ...group }) => group),
    payoutGroupsCount: groups[0]?.groupsCount ?? 0,
  };
}
