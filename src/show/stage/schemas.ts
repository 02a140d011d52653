import * as v from "valibot";
import { results } from "#db/lists/events.ts";
import { cents, dollars, moment, money, rowId } from "#src/http/schemas.ts";
import { scoreSchema } from "#src/play/leaderboard/schemas.ts";
import { teamSchema } from "#src/play/teams/schemas.ts";

/** A chat message as everybody may read it on the big screen. */
export const stageMessageSchema = v.object({
  id: rowId,
  username: v.string(),
  body: v.string(),
  createdAt: moment,
});
export type StageMessage = v.InferOutput<typeof stageMessageSchema>;

/** Who has come to a session that has not started. */
export const arrivalsSchema = v.object({
  count: v.number(),
  /** The newest of them, in the order in which they came. `picture`: its address, null without one. */
  players: v.array(v.object({ userId: rowId, username: v.string(), picture: v.nullable(v.string()) })),
});
export type Arrivals = v.InferOutput<typeof arrivalsSchema>;

export const winSchema = v.object({
  userId: rowId,
  username: v.string(),
  eventId: rowId,
  ...money("net"),
});
export type Win = v.InferOutput<typeof winSchema>;

/** When the result of an event was decided, pending or not, and whether it was corrected since. */
export const stageDecisionSchema = v.object({
  eventId: rowId,
  at: moment,
  /** `was`: the result before the last correction. Null where none was made. */
  corrected: v.nullable(v.object({ at: moment, was: v.picklist(results) })),
});
export type StageDecision = v.InferOutput<typeof stageDecisionSchema>;

/** How players did on the event that was resolved or corrected last. */
export const outcomeSchema = v.object({
  eventId: rowId,
  playersCount: v.number(),
  /** How many players have called the result, also where nobody took the other side. */
  rightCount: v.number(),
  /** Null if nobody has won anything. */
  biggestWin: v.nullable(winSchema),
});
export type StageOutcome = v.InferOutput<typeof outcomeSchema>;

/** Who has won the most money in a show. Ranks are made by questions, so it need not be the first. */
export const mostWonSchema = v.object({ userId: rowId, username: v.string(), net: dollars, netCents: cents });
export type MostWon = v.InferOutput<typeof mostWonSchema>;

export const eveningSchema = v.object({
  /** Players who have called, questions that have a result, their calls and their wagers. */
  playersCount: v.number(),
  eventsCount: v.number(),
  callsCount: v.number(),
  ...money("wagered"),
  biggestWin: v.nullable(winSchema),
  /** Null if nobody has won any. */
  mostWon: v.nullable(mostWonSchema),
  /** The most results that a player called in a row; null if nobody has called one. */
  longestStreak: v.nullable(v.object({ username: v.string(), length: v.number() })),
});
export type Evening = v.InferOutput<typeof eveningSchema>;

/** What the big screen of a session shows besides the session and its events. */
export const stageAnswer = v.object({
  /** The first ten. */
  leaders: v.array(scoreSchema),
  /** How many players have a rank. */
  playersCount: v.number(),
  /** By rank; none in a session without teams. */
  teams: v.array(teamSchema),
  /** Null once the session has started, and while it is not known. */
  arrivals: v.nullable(arrivalsSchema),
  /** Null without a result. */
  outcome: v.nullable(outcomeSchema),
  /** The last decisions on results, the newest first. Processes of the release before leave it out. */
  decisions: v.optional(v.array(stageDecisionSchema)),
  /** Null until the session is over. */
  evening: v.nullable(eveningSchema),
  /** The newest messages that are not deleted, oldest first; none unless the session is live. */
  messages: v.array(stageMessageSchema),
  /** What players type at `/join`. */
  joinCode: v.string(),
  /** The address at which players join; the QR code holds it. */
  joinUrl: v.string(),
});
export type StageAnswer = v.InferOutput<typeof stageAnswer>;

export const showLeadersBody = v.strictObject({ shown: v.boolean("is invalid") });

/** The stage link of a session: the address of its big screen, with a key. */
export const stageLinkAnswer = v.object({ stageLink: v.object({ key: v.string(), url: v.string() }) });
export type StageLinkAnswer = v.InferOutput<typeof stageLinkAnswer>;
