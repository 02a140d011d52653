import * as v from "valibot";
import { moment, money, rowId } from "#src/http/schemas.ts";
import { poolSchema } from "#src/play/spots/schemas.ts";

const shownEventStates = ["open", "visible", "closed"] as const;

/** A question as everybody may read it before signing in. */
export const frontEvent = v.object({
  id: rowId,
  title: v.string(),
  trueLabel: v.string(),
  falseLabel: v.string(),
  state: v.picklist(shownEventStates),
  publishedAt: v.nullable(moment),
  opensAt: v.nullable(moment),
  closesAt: v.nullable(moment),
  durationSeconds: v.number(),
  pool: poolSchema,
  callsCount: v.number(),
});
export type FrontEvent = v.InferOutput<typeof frontEvent>;

const liveSession = v.object({
  slug: v.string(),
  name: v.string(),
  paused: v.boolean(),
  /** A new guest gets a name instead of choosing one. */
  givenNames: v.boolean(),
  /** The question that is open, or else the next one, or else the last one that closed. */
  event: v.nullable(frontEvent),
});

const nextSession = v.object({
  id: rowId,
  slug: v.string(),
  name: v.string(),
  /** Null: the host starts it, and players are sent there already. */
  startsAt: v.nullable(moment),
});

/** A question that is open for longer than an hour. */
const longQuestion = v.object({
  id: rowId,
  title: v.string(),
  closesAt: moment,
  slug: v.string(),
  name: v.string(),
});
export type LongQuestion = v.InferOutput<typeof longQuestion>;

const frontDoorSchema = v.object({
  /** The session that is live: the active one, or else the one that started last. */
  live: v.nullable(liveSession),
  next: v.nullable(nextSession),
  /** What is open for longer than an hour, in all sessions that are not private: at most ten, what closes first before the others. */
  openForDays: v.array(longQuestion),
  /** The play money that a new guest gets. */
  ...money("guestGrant"),
  serverTime: moment,
});
export type FrontDoor = v.InferOutput<typeof frontDoorSchema>;
export const frontDoorAnswer = v.object({ frontDoor: frontDoorSchema });
