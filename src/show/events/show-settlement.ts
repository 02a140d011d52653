import type { Queryable } from "#db/client.ts";
import { countSettledPlayers, listPayoutGroups } from "#db/ledger/list-settled-calls.ts";
import { findSettlement, listSettlements } from "#db/ledger/list-settlements.ts";
import { boundedMaps } from "#src/base/bounded-map.ts";
import { invalid } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { presentSettlement } from "#src/play/calls/present-settlement.ts";
import { COMPARED_CALLS_MAX, recomputePayouts } from "#src/play/settlements/compare-payouts.ts";
import { finishPaying, type PayDeps } from "#src/play/settlements/pay-settlement.ts";
import { recomputationSchema, type RecomputationView } from "#src/play/settlements/schemas.ts";
import type { SettlementAnswer } from "./schemas.ts";
import { showEvent } from "./show-event.ts";

/** The number of groups to list; all are counted. */
const GROUPS_MAX = 50;
const CACHE_SIZE_MAX = 200;

const noPayouts: Payouts = { callersCount: 0, callsCount: 0, payouts: [], payoutGroupsCount: 0 };

/**
 * By settlement id. A settlement never changes, thousands of players may read it at once, and grouping a million calls takes
 * a second.
 */
const caches = boundedMaps<number, Promise<Payouts>>(CACHE_SIZE_MAX);

const LOOK_AGAIN = "Look again afterwards.";

/** How an event was settled: the decisions with their reasons, the numbers of the formula, and the payouts, without names. */
export async function showSettlement(
  db: Queryable,
  { eventId, viewer }: { eventId: number; viewer: Viewer },
  now: Date,
): Promise<SettlementAnswer> {
  const { event } = await showEvent(db, { eventId, viewer }, now);
  const settlements = await listSettlements(db, eventId);
  const latest = settlements.at(-1);
  const paid = latest === undefined ? noPayouts : await findPayouts(db, latest.id);
  return { event, settlements: settlements.map(presentSettlement), ...paid };
}

type Payouts = Omit<SettlementAnswer, "event" | "settlements">;

/** The payouts of a settlement, grouped by side, wager and payout. They are complete even while some are still to be paid. */
function findPayouts(db: Queryable, settlementId: number): Promise<Payouts> {
  const cache = caches(db);
  const cached = cache.get(settlementId);
  if (cached !== undefined) return cached;
  const payouts = readPayouts(db, settlementId);
  cache.set(settlementId, payouts);
  payouts.catch(() => cache.delete(settlementId));
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

/**
 * Recomputes what every call of an event should have been paid, and compares it with the ledger.
 * @throws Refusal 404 for an event that this viewer may not see; 422 without a result, or with too many calls; 409 while a
 *   large settlement is being paid.
 */
export async function recomputeSettlement(
  deps: PayDeps,
  { eventId, viewer, callsMax = COMPARED_CALLS_MAX }: { eventId: number; viewer: Viewer; callsMax?: number },
  now: Date,
): Promise<{ recomputation: RecomputationView }> {
  const { db } = deps.pool;
  await showEvent(db, { eventId, viewer }, now);
  await finishPaying(deps, eventId, LOOK_AGAIN);
  const { paidCents, differences, ...counts } = await recomputePayouts(
    db,
    { eventId },
    async (tx, callsCount) => {
      await requireResult(tx, eventId);
      if (callsCount > callsMax) throw tooManyCalls();
    },
  );
  const shown = differences.map(({ userId, ...difference }) => ({
    ...difference,
    mine: userId === viewer.id,
  }));
  const compared = { ...counts, paidCents, differences: shown, checkedAt: now };
  return { recomputation: present(recomputationSchema, compared) };
}

async function requireResult(tx: Queryable, eventId: number): Promise<void> {
  if ((await findSettlement(tx, eventId)) === null) {
    const detail = "There is nothing to recompute before the result.";
    throw invalid({ result: ["is required"] }, { code: "unsettled", detail });
  }
}

function tooManyCalls() {
  const detail = "This question has too many calls to recompute them while you wait.";
  return invalid({ calls: ["are too many"] }, { code: "too_many_calls", detail });
}
