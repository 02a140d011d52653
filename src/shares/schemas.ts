import * as v from "valibot";
import { outcomes, refundReasons } from "#db/lists/calls.ts";
import { shareKinds } from "#db/lists/shares.ts";
import { sides } from "#db/lists/spots.ts";
import { cents, dollars, listMeta, moment, money, rowId } from "#src/http/schemas.ts";
import { recordsSchema } from "#src/profiles/schemas.ts";
import { brandSchema } from "#src/show/brands/schemas.ts";
import { DEFAULT_ZONE, isZone, shareLifetimesDays, UNKNOWN_ZONE } from "./contract.ts";

const kind = v.picklist(shareKinds);

export const shareSchema = v.object({
  id: rowId,
  kind,
  /** The call, the session, or the player whose records it shows. */
  targetId: rowId,
  /** The question, the session's name, or "Records". */
  title: v.string(),
  url: v.string(),
  /** The address of its picture: a PNG of 1200 x 630. */
  imageUrl: v.string(),
  createdAt: moment,
  /** Null: it works until it is revoked. */
  expiresAt: v.nullable(moment),
  /** It has expired. Then its page and its picture are not found. */
  expired: v.boolean(),
});
export type ShareView = v.InferOutput<typeof shareSchema>;
export const shareAnswer = v.object({ share: shareSchema });
export const sharesAnswer = v.object({ shares: v.array(shareSchema), meta: listMeta });
export type SharesAnswer = v.InferOutput<typeof sharesAnswer>;

/** Null: until it is revoked. */
const expiresInDays = v.nullable(v.picklist(shareLifetimesDays, "is invalid"));

export const createShareBody = v.strictObject({
  kind,
  /** A call's id for `call` and `result`, a session's id for `session`, the viewer's own id for `records`. */
  targetId: rowId,
  /** The zone in which the page and the picture show times; UTC if left out, and for a browser that does not know its own. */
  timeZone: v.optional(
    v.pipe(
      v.string(),
      v.transform((name) => (name === UNKNOWN_ZONE ? DEFAULT_ZONE : name)),
      v.check(isZone, "is invalid"),
    ),
  ),
  expiresInDays: v.optional(expiresInDays),
});
export type CreateShareBody = v.InferOutput<typeof createShareBody>;

export const updateShareBody = v.strictObject({ expiresInDays });

/** A shared call as everybody reads it. Without its result if only the call was shared. */
const sharedCall = v.object({
  title: v.string(),
  label: v.string(),
  side: v.picklist(sides),
  ...money("wager"),
  /** By the server's clock. */
  placedAt: moment,
  outcome: v.nullable(v.picklist(outcomes)),
  net: v.nullable(dollars),
  netCents: v.nullable(cents),
  /** Why the result refunded the call: `no_loser` where it was right, and nobody had taken the other side. */
  refundReason: v.nullable(v.picklist(refundReasons)),
  /** The result was another one before. */
  corrected: v.boolean(),
  /** How many calls were on the same side, and on both; 0 without the result. */
  sameCount: v.number(),
  callsCount: v.number(),
});

/** A player's session as everybody reads it. */
const sharedSummary = v.object({
  /** Null for a player who is not on the leaderboard. */
  rank: v.nullable(v.number()),
  /** Another player has the same rank. */
  tied: v.boolean(),
  playersCount: v.number(),
  wins: v.number(),
  losses: v.number(),
  ...money("net"),
  /** The net after each event that the player called. */
  curve: v.array(v.object({ net: dollars, netCents: cents })),
  best: v.nullable(v.object({ title: v.string(), label: v.string(), net: dollars, netCents: cents })),
});

/** What a link shows to everybody who has it. Of its owner only the username. */
export const sharedSchema = v.object({
  kind,
  username: v.string(),
  /** One sentence each, as pages that show a link as a card print them. */
  title: v.string(),
  description: v.string(),
  imageUrl: v.string(),
  timeZone: v.string(),
  sessionName: v.nullable(v.string()),
  /** Left out of a session without one. */
  brand: v.optional(brandSchema),
  /** Where the session can be watched now; null if it is not live. */
  livePath: v.nullable(v.string()),
  /** For the kinds `call` and `result`. */
  call: v.nullable(sharedCall),
  /** For the kind `session`. */
  summary: v.nullable(sharedSummary),
  /** For the kind `records`. */
  records: v.nullable(recordsSchema),
});
export type SharedView = v.InferOutput<typeof sharedSchema>;
export const sharedAnswer = v.object({ shared: sharedSchema });
export type SharedAnswer = v.InferOutput<typeof sharedAnswer>;
