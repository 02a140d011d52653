import * as v from "valibot";
import { cents, dollars, listMeta, moment, rowId } from "#src/http/contract.ts";
import { sides } from "#src/spots/contract.ts";
import { walletShape } from "#src/wallet/contract.ts";

/** Dollars wagered when nobody says how much. */
export const WAGER_DEFAULT = 1;
export const WAGER_MAX_CENTS = 100_000_000;
/** A call may be taken back until this long before the close. */
export const CANCEL_BEFORE_CLOSE_MS = 5_000;

export const callStates = ["placed", "closed", "resolved", "soft_destroyed"] as const;
export type CallState = (typeof callStates)[number];
/** The states in which a call counts as active: its wager is held. */
export const activeCallStates: readonly CallState[] = ["placed", "closed"];
export const callStateLabels: Record<CallState, string> = {
  placed: "Placed",
  closed: "Closed",
  resolved: "Resolved",
  soft_destroyed: "Destroyed",
};
export const outcomes = ["won", "lost", "refunded"] as const;

/** Body of POST /api/v1/calls under `call`, after its keys became camelCase. `userId` must be the player's own. */
export const placeCallBody = v.strictObject({
  spotId: rowId,
  userId: v.optional(rowId),
  /** Dollars. */
  wager: v.optional(v.number("is not a number"), WAGER_DEFAULT),
});

export const callShape = v.object({
  id: rowId,
  userId: rowId,
  eventId: rowId,
  spotId: rowId,
  sessionId: v.nullable(rowId),
  sessionSlug: v.nullable(v.string()),
  sessionName: v.nullable(v.string()),
  eventTitle: v.string(),
  side: v.picklist(sides),
  label: v.string(),
  state: v.picklist(callStates),
  /** placed or closed */
  active: v.boolean(),
  /** The player may take it back now. */
  cancellable: v.boolean(),
  wager: dollars,
  wagerCents: cents,
  outcome: v.nullable(v.picklist(outcomes)),
  payout: v.nullable(dollars),
  payoutCents: v.nullable(cents),
  /** payout - wager once resolved */
  net: v.nullable(dollars),
  netCents: v.nullable(cents),
  placedAt: moment,
  resolvedAt: v.nullable(moment),
});
export type CallView = v.InferOutput<typeof callShape>;
export const callsAnswer = v.object({ calls: v.array(callShape), meta: listMeta });
/** Placing and taking back also answer the wallet as it stands after it. */
export const callAnswer = v.object({ call: callShape, wallet: walletShape });
export type CallAnswer = v.InferOutput<typeof callAnswer>;
