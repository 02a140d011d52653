import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { recomputeSettlement } from "#src/show/events/show-settlement.ts";
import type { InvariantName } from "../contract.ts";
import { checkShow, type Violations } from "./check-show.ts";
import { differ } from "./differ.ts";
import type { Play, Tap } from "./play.ts";

/** Refusals that are about the player's money, not about the time. */
const moneyRefusals = new Set(["insufficient_balance", "invalid"]);

/** Checks all invariants of a show that has been played to its end. @param ledgerSumCents the sum of all accounts. */
export async function checkPlay(play: Play, ledgerSumCents: number): Promise<Violations<InvariantName>> {
  return {
    ledger_sum: differ("the sum of all accounts, in cents", ledgerSumCents, 0),
    payouts: await checkPayouts(play),
    ...(await checkShow(play.show)),
    in_time: play.taps.flatMap((tap, index) => checkTap(play, tap, index)),
    ended: play.records.flatMap(({ result, paidAtMs }, event) =>
      result !== null && paidAtMs !== null ? [] : [`event ${event + 1} has no result, or is not paid`],
    ),
  };
}

/** The database has paid by its own implementation of the formula; this is the other one. */
async function checkPayouts({ show, host }: Play): Promise<string[]> {
  const { deps, eventIds } = show;
  const viewer = await findViewer(deps.pool.db, host.id);
  const violations: string[] = [];
  for (const [event, eventId] of eventIds.entries()) {
    const now = new Date(show.clock.nowMs());
    const { recomputation } = await recomputeSettlement(deps, { eventId, viewer }, now);
    const { differencesCount } = recomputation;
    if (differencesCount > 0)
      violations.push(`event ${event + 1}: ${differencesCount} calls were paid something else`);
  }
  return violations;
}

/** A call counts if it reached the server before the close, and only then. */
function checkTap({ records }: Play, { event, arrivedAtMs, answer }: Tap, index: number): string[] {
  const { openedAtMs, closesAtMs } = records[event] ?? {};
  const inTime =
    openedAtMs != null && closesAtMs != null && arrivedAtMs >= openedAtMs && arrivedAtMs < closesAtMs;
  if (inTime && moneyRefusals.has(answer)) return [];
  return differ(`tap ${index + 1} on event ${event + 1}`, answer, inTime ? "placed" : "late");
}
