import type { Queryable } from "#db/client.ts";
import { countSettledPlayers } from "#db/ledger/count-settled-players.ts";
import { listPayoutGroups } from "#db/ledger/list-payout-groups.ts";
import type { PayoutGroupView } from "./schemas.ts";

/** The number of groups to list; all are counted. */
const GROUPS_MAX = 50;
const CACHE_SIZE_MAX = 200;

type Payouts = {
  callersCount: number;
  callsCount: number;
  payouts: PayoutGroupView[];
  payoutGroupsCount: number;
};

export const noPayouts: Payouts = { callersCount: 0, callsCount: 0, payouts: [], payoutGroupsCount: 0 };

/**
 * By settlement id. A settlement never changes, thousands of players may read it at once, and grouping a million calls takes
 * a second.
 */
const caches = new WeakMap<Queryable, Map<number, Promise<Payouts>>>();

/** The payouts of a settlement, grouped by side, wager and payout. They are complete even while some are still to be paid. */
export function findPayouts(db: Queryable, settlementId: number): Promise<Payouts> {
  const cache = caches.get(db) ?? new Map<number, Promise<Payouts>>();
  caches.set(db, cache);
  const cached = cache.get(settlementId);
  if (cached !== undefined) return cached;
  const payouts = readPayouts(db, settlementId);
  cache.set(settlementId, payouts);
  payouts.catch(() => cache.delete(settlementId));
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE_MAX && oldest !== undefined) cache.delete(oldest);
  return payouts;
}

async function readPayouts(db: Queryable, settlementId: number): Promise<Payouts> {
  const [groups, callersCount] = await Promise.all([
    listPayoutGroups(db, { settlementId, limit: GROUPS_MAX }),
    countSettledPlayers(db, settlementId),
  ]);
  return {
    callersCount,
    callsCount: groups[0]?.totalCount ?? 0,
    payouts: groups.map(({ groupsCount: _groups, totalCount: _total, ...group }) => group),
    payoutGroupsCount: groups[0]?.groupsCount ?? 0,
  };
}
