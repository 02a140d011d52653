import { eq } from "drizzle-orm";
import { type PlaceCall, placeCalls, type PlacedCall, type PlacementCode } from "#db/ledger/place-calls.ts";
import { WAGER_MAX_CENTS } from "#db/lists/limits.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { calls, measureCallBatch } from "#src/base/instruments.ts";
import { type FieldErrors, invalid, Refusal, unauthenticated } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { centsOf, dollarsOf } from "#src/http/money.ts";
import { findBreak, onBreak } from "#src/money/spending/break.ts";
import { presentWallet } from "#src/money/wallet/find-wallet-view.ts";
import { touchSignIn } from "#src/people/sign-ins/find-sign-in.ts";
import { isLockedOut, LOCKED } from "#src/play/access-denied.ts";
import { presentCall } from "./find-call-views.ts";
import type { CallAnswer, PlaceCallBody } from "./schemas.ts";
import { whenFree } from "./when-free.ts";

/** A batch waits for its slowest wallet, so its size is bounded. */
const BATCH_SIZE_MAX = 256;
const RETRY_AFTER_S = 1;

/** The outcome of a call that needs no other try. */
type FinalCall = Omit<PlacedCall, "code"> & { code: Exclude<PlacedCall["code"], "busy"> };

export type Placement = {
  viewer: { id: number };
  /** The sign-in that the viewer was assumed from: the placing judges it. Without one the viewer is known to be who they are. */
  signInId?: string | null;
  spotId: number;
  wagerCents: number;
  /** Unique per player. The same key with the same call returns the first call again. */
  idempotencyKey: string;
  /** It asks the house to add what is missing to a call of at most $1.00. */
  onTheHouse?: boolean;
  /** When the request had arrived, from performance.now(): the call is judged by that. Null or left out: it arrives when it is placed. */
  arrivedAtMs?: number | null;
};

/** A refusal does not state a lateness above this. */
const LATENESS_SHOWN_MAX_MS = 60_000;

/**
 * Reads a placement from a request body.
 * @throws Refusal 422 for a call in another user's name, and for a wager that is not an amount of money.
 */
export function readPlacement({
  viewer,
  signInId = null,
  call,
  idempotencyKey,
  arrivedAtMs = null,
}: Omit<Placement, "spotId" | "wagerCents" | "onTheHouse"> & { call: PlaceCallBody }): Placement {
  const wagerCents = centsOf(call.wager);
  const errors: FieldErrors = {};
  if (call.userId !== undefined && call.userId !== viewer.id) errors["userId"] = ["is invalid"];
  if (call.wager <= 0) errors["wager"] = ["must be greater than 0"];
  else if (wagerCents === null) errors["wager"] = ["is invalid"];
  if (wagerCents === null || Object.keys(errors).length > 0) throw invalid(errors);
  const { spotId, onTheHouse } = call;
  return { viewer, signInId, spotId, wagerCents, idempotencyKey, onTheHouse, arrivedAtMs };
}

/**
 * Places a call: holds the wager on the player's wallet, adds it to the spot's pool, and registers the player in the session
 * with the first call there.
 *
 * Calls that arrive while a batch is running form the next batch: one statement and one commit for all of them. That
 * statement also returns each call with its wallet and metrics, because reading them separately cost ten times the placing.
 * A batch waits for nothing that others hold: calls on an event, or of a wallet, that a transaction holds are tried again for 1.6 s.
 * How long a call waits here costs it nothing: judge-calls.sql judges it by its arrival.
 * A call placed again under its key is answered like the first time.
 * @returns the call's id, whether it was placed before under the same key, and the call and its owner's wallet as they are
 *   now.
 * @throws Refusal 401 if the sign-in is not valid (any more); 422 (refusePlacement has the codes); 503 `event_busy` if a
 *   transaction has held the event or the wallet all the time; 503 `too_many_calls` if PLACING_QUEUE_MAX calls wait in this process
 *   already, before anything is tried. Nothing has changed then.
 */
export async function placeCall(
  deps: Deps,
  { viewer, signInId = null, ...placement }: Placement,
): Promise<{ callId: number; replayed: boolean; answer: CallAnswer }> {
  const call = { userId: viewer.id, signInId, ...placement };
  const { code, lateMs, stale, details } = await placeWhenFree(deps, call);
  calls.inc({ outcome: code });
  if (code === "signed_out") throw unauthenticated();
  if (stale && signInId !== null) void touchSignIn(deps, signInId);
  if (code !== "placed" && code !== "replayed") throw await refusePlacement(deps, call, { code, lateMs });
  if (details === null) throw new Error("the ledger returned no details of a placed call");
  deps.notifyRelay();
  const answer = {
    call: presentCall({ ...details, refundReason: null }, serverNow()),
    wallet: presentWallet(details, details),
  };
  return { callId: details.id, replayed: code === "replayed", answer };
}

async function placeWhenFree({ env, pool }: Deps, call: PlaceCall): Promise<FinalCall> {
  const capacity = { waitingMax: env.placingQueueMax, whenFull: tooManyCalls };
  try {
    return await whenFree(async () => {
      const { code, ...placed } = await placeInBatch(pool, call, capacity);
      return code === "busy" ? null : { code, ...placed };
    });
  } catch (error) {
    if (error instanceof Refusal) calls.inc({ outcome: error.code });
    throw error;
  }
}

const placeInBatch = createBatcher(
  BATCH_SIZE_MAX,
  (pool: Deps["pool"], together: readonly PlaceCall[]) => placeCalls(pool, together),
  { name: "place calls", onBatch: measureCallBatch },
);

function tooManyCalls(): Refusal {
  return new Refusal(503, "too_many_calls", "Too many calls are coming in at once. Try again in a moment.", {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}

type RefusedCode = Exclude<PlacementCode, "signed_out" | "busy" | "placed" | "replayed">;

async function refusePlacement(
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
    case "wrong_state": {
      const going = await findBreak(deps.pool.db, call.userId);
      if (going !== null) return onBreak({ spot: ["has wrong state"] }, going);
      return (await isOutside(deps, call))
        ? wrongState("locked", LOCKED)
        : wrongState("invalid_spot_state", "This side has wrong state: the event takes no calls now.");
    }
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

/** The room of the spot is locked, and the player is not in it. */
async function isOutside({ pool }: Pick<Deps, "pool">, { spotId, userId }: PlaceCall): Promise<boolean> {
  const [session] = await pool.db
    .select({ id: sessions.id, settings: sessions.settings })
    .from(spots)
    .innerJoin(events, eq(events.id, spots.eventId))
    .innerJoin(sessions, eq(sessions.id, events.sessionId))
    .where(eq(spots.id, spotId));
  return session !== undefined && (await isLockedOut(pool.db, session, userId));
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
