import { eq } from "drizzle-orm";
import type { PlaceCall, PlacementCode } from "#db/ledger/place-calls.ts";
import { WAGER_MAX_CENTS } from "#db/lists/limits.ts";
import { events, spots } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, type Refusal } from "#src/base/refusal.ts";
import { dollarsOf } from "#src/http/money.ts";

/** A refusal does not state a lateness above this. */
const LATENESS_SHOWN_MAX_MS = 60_000;

type RefusedCode = Exclude<PlacementCode, "signed_out" | "busy" | "placed" | "replayed">;

/** The refusal for a placement code of the ledger. */
export async function refusePlacement(
  deps: Pick<Deps, "pool">,
  call: PlaceCall,
  { code, lateMs }: { code: RefusedCode; lateMs: number | null },
): Promise<Refusal> {
  switch (code) {
    case "not_found":
      return invalid({ spot: ["must exist"] });
    case "key_reused":
      return invalid(
        { idempotencyKey: ["has already been taken"] },
        { code: "idempotency_key_reused", detail: "This Idempotency-Key belongs to another call of yours." },
      );
    case "paused":
      return wrongState("paused", "Paused by the host. Your calls are safe.");
    case "wrong_state":
      return wrongState("invalid_spot_state", "This side has wrong state: the event takes no calls now.");
    case "late":
      return wrongState("late", latenessText(lateMs) ?? "Call was too late");
    case "below_min":
      return invalid({
        wager: [`must be greater than or equal to ${dollarsOf((await findLimits(deps, call)).min)}`],
      });
    case "over_max":
      return invalid({
        wager: [`must be less than or equal to ${dollarsOf((await findLimits(deps, call)).max)}`],
      });
    case "insufficient":
      return invalid({ wallet: ["has insufficient balance to cover"] }, { code: "insufficient_balance" });
  }
}

function wrongState(code: string, detail: string): Refusal {
  return invalid({ spot: ["has wrong state"] }, { code, detail });
}

function latenessText(lateMs: number | null): string | null {
  if (lateMs === null || lateMs > LATENESS_SHOWN_MAX_MS) return null;
  return `Call was ${Math.max(0.01, lateMs / 1_000).toFixed(2)} s late`;
}

/** The wager limits of an event, in cents: the minimum of one call, and the maximum of all calls of one player. */
async function findLimits({ pool }: Pick<Deps, "pool">, { spotId }: PlaceCall) {
  const [limits] = await pool.db
    .select({ min: events.minWagerCents, max: events.maxWagerCents })
    .from(spots)
    .innerJoin(events, eq(events.id, spots.eventId))
    .where(eq(spots.id, spotId));
  return { min: limits?.min ?? 1, max: Math.min(limits?.max ?? WAGER_MAX_CENTS, WAGER_MAX_CENTS) };
}
