import * as v from "valibot";
import {
  results,
  autoResults,
  eventStates,
  startModes,
  timedTransitions,
  untimedStartModes,
} from "#db/lists/events.ts";
import { questionLimits } from "#db/lists/questions.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import {
  amountField,
  cents,
  dateField,
  dollars,
  listMeta,
  moment,
  money,
  rowId,
  textBlock,
  textLine,
  wholeNumber,
} from "#src/http/schemas.ts";
import { callSchema, settlementSchema } from "#src/play/calls/schemas.ts";
import {
  payingSchema,
  payoutGroupSchema,
  payoutTermsSchema,
  settlementProgress,
} from "#src/play/settlements/schemas.ts";
import { poolSchema, spotSchema } from "#src/play/spots/schemas.ts";
import { eventLimits, GRACE_MAX_MS, POSITION_MAX } from "./contract.ts";

/** A signed id and a key are shorter. */
const PICTURE_NAME_LENGTH_MAX = 100;

export const changeStateBody = v.strictObject({
  stateEvent: v.optional(v.string()),
  state: v.optional(v.picklist(eventStates, "is invalid")),
  result: v.optional(v.union([v.boolean(), v.picklist(results)], "is invalid")),
  /**
   * Calls placed at or after it are refunded. Null: all calls count. Left out: that of the result which this one replaces or
   * corrects; all calls count if there is none.
   */
  effectiveAt: v.optional(v.nullable(dateField)),
  reason: v.optional(textBlock(REASON_LENGTH_MAX)),
  /**
   * With `resolve`: how long the answer takes to reach the person who decides. A pending result waits so much longer. Who decided it
   * sends the same result again where the answer came later than that: the delay then begins at that moment.
   */
  graceMs: v.optional(wholeNumber(0, GRACE_MAX_MS)),
});
export type ChangeStateBody = v.InferOutput<typeof changeStateBody>;
/** The fields of an event in a request body, in a session or in a blueprint. */
export const eventFields = {
  title: textLine(eventLimits.titleLengthMax),
  description: v.optional(textBlock(eventLimits.descriptionLengthMax)),
  trueLabel: v.optional(textLine(eventLimits.labelLengthMax)),
  falseLabel: v.optional(textLine(eventLimits.labelLengthMax)),
  startMode: v.optional(v.picklist(startModes, "is invalid")),
  offsetSeconds: v.optional(wholeNumber(0, eventLimits.offsetSecondsMax)),
  durationSeconds: v.optional(wholeNumber(eventLimits.durationSecondsMin, eventLimits.durationSecondsMax)),
  resolveWithinSeconds: v.optional(wholeNumber(0, eventLimits.resolveWithinSecondsMax)),
  /** Dollars. */
  minWager: v.optional(amountField(eventLimits.wagerMax)),
  maxWager: v.optional(v.nullable(amountField(eventLimits.wagerMax))),
  autoResult: v.optional(v.nullable(v.picklist(autoResults, "is invalid"))),
  /** The signed id of an upload, or the key of a picture that a question has; null removes it. It needs `pictureAlt`. */
  picture: v.optional(v.nullable(textLine(PICTURE_NAME_LENGTH_MAX))),
  /** What the picture shows, in words. */
  pictureAlt: v.optional(textBlock(questionLimits.pictureAltLengthMax)),
  /** Shown to everybody from the result on. */
  explanation: v.optional(textBlock(questionLimits.explanationLengthMax)),
  /** Shown to hosts alone. */
  hostNote: v.optional(textBlock(questionLimits.hostNoteLengthMax)),
};

/** The picture of a question. Its address opens for who may read the question. */
export const questionPicture = v.object({
  url: v.string(),
  /** What another question names it by. */
  key: v.string(),
  /** In pixels. */
  width: v.number(),
  height: v.number(),
  alt: v.string(),
});
export type QuestionPicture = v.InferOutput<typeof questionPicture>;

export const createEventBody = v.strictObject({
  sessionId: rowId,
  ...eventFields,
  /** The position in a session that has not started. Default: last. */
  position: v.optional(wholeNumber(1, POSITION_MAX)),
  /** When it opens, in a session that has started. */
  opensAt: v.optional(dateField),
  /** When it closes, instead of a duration: it opens at once (`ask`) or at `opens_at`. */
  closesAt: v.optional(dateField),
  /** Publishes and opens it at once. */
  ask: v.optional(v.boolean("is invalid"), false),
});
export type CreateEventBody = v.InferOutput<typeof createEventBody>;

export const updateEventBody = v.strictObject({
  ...eventFields,
  title: v.optional(eventFields.title),
  /** When it opens, in a session that has started. */
  opensAt: v.optional(dateField),
  /** When it closes, instead of a duration. Its opening is known. */
  closesAt: v.optional(dateField),
  /** The version that the client read. With another version by now nothing changes. */
  version: v.optional(v.number()),
});
export type UpdateEventBody = v.InferOutput<typeof updateEventBody>;

/** `?session_id=3&state=open` on the index. */
export const eventsQuery = v.object({
  sessionId: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER)),
  ),
  state: v.optional(v.picklist(eventStates, "is invalid")),
});
export type EventsQuery = v.InferOutput<typeof eventsQuery>;

export const actionBody = v.strictObject({ reason: v.optional(textBlock(REASON_LENGTH_MAX)) });
export const delayBody = v.strictObject({
  seconds: v.optional(wholeNumber(-600, 600), 30),
  reason: v.optional(textBlock(REASON_LENGTH_MAX)),
});

/** The plan of an event, and its next timed transition. */
export const eventPlan = v.object({
  /** What is told with the result, also before it. Processes of the release before leave both out. */
  explanation: v.optional(v.string()),
  hostNote: v.optional(v.string()),
  startMode: v.picklist(startModes),
  offsetSeconds: v.number(),
  resolveWithinSeconds: v.number(),
  autoResult: v.nullable(v.picklist(autoResults)),
  nextTransition: v.nullable(v.picklist(timedTransitions)),
  /** Null while the session is paused: then it is due `remainingMs` after the resume. */
  dueAt: v.nullable(moment),
  remainingMs: v.nullable(v.number()),
  /** How many calls of the result are paid; null when all are. */
  paying: v.nullable(payingSchema),
  /** The decision on the result, pending or not; null without one. */
  decided: v.nullable(
    v.object({
      /** A correction keeps it. */
      at: moment,
      /** The admin who decided the result or corrected it last; null: a timer. */
      byId: v.nullable(rowId),
      /** Calls placed at or after it are refunded; null: all calls count. */
      effectiveAt: v.nullable(moment),
    }),
  ),
});
export type EventPlan = v.InferOutput<typeof eventPlan>;

export const eventSchema = v.object({
  id: rowId,
  sessionId: v.nullable(rowId),
  blueprintEventId: v.nullable(rowId),
  position: v.number(),
  title: v.string(),
  description: v.string(),
  /** Left out without one. */
  picture: v.optional(questionPicture),
  /** Left out without one, and until the result is decided. */
  explanation: v.optional(v.string()),
  trueLabel: v.string(),
  falseLabel: v.string(),
  state: v.picklist(eventStates),
  result: v.nullable(v.boolean()),
  voided: v.boolean(),
  resultReason: v.nullable(v.string()),
  settlement: settlementProgress,
  /** While the first result is being paid: what it pays. Left out otherwise, and by processes of the release before. */
  payoutTerms: v.optional(payoutTermsSchema),
  /** The result that waits for the settlement delay. Until it is paid the event stays closed, and it can be withdrawn. */
  pendingResult: v.nullable(v.union([v.boolean(), v.literal("void")])),
  /** When the pending result is paid; null without one, and while the session is paused. */
  paysAt: v.nullable(moment),
  opensAt: v.nullable(moment),
  openedAt: v.nullable(moment),
  closesAt: v.nullable(moment),
  closedAt: v.nullable(moment),
  resolveBy: v.nullable(moment),
  resolvedAt: v.nullable(moment),
  publishedAt: v.nullable(moment),
  /** How the event after it starts, if that has not opened and waits for this one's result or for the host; otherwise null. */
  nextStart: v.nullable(v.picklist(untimedStartModes)),
  createdAt: moment,
  updatedAt: moment,
  durationSeconds: v.number(),
  ...money("minWager"),
  maxWager: v.nullable(dollars),
  maxWagerCents: v.nullable(cents),
  /** True first, False second, always. */
  spots: v.tuple([spotSchema, spotSchema]),
  pool: poolSchema,
  callsCount: v.number(),
  /** The viewer's own calls of this round, oldest first; empty in broadcasts. */
  myCalls: v.array(callSchema),
  /** For admins only, because it may reveal the result; null in broadcasts. */
  plan: v.nullable(eventPlan),
  version: v.number(),
});
export type EventView = v.InferOutput<typeof eventSchema>;
export const eventAnswer = v.object({ event: eventSchema });
export const eventsAnswer = v.object({ events: v.array(eventSchema), meta: listMeta });
export type EventsAnswer = v.InferOutput<typeof eventsAnswer>;

/** `?result=true&effective_at=2026-11-21T20:00:00Z` on GET /api/v1/events/:id/preview. */
export const previewQuery = v.object({
  result: v.picklist(results, "is invalid"),
  /** "none": all calls count. Left out: that of the event's current result, as in the request that gives the result. */
  effectiveAt: v.optional(v.union([v.literal("none"), dateField])),
});
export type PreviewQuery = v.InferOutput<typeof previewQuery>;
/** What a result would pay and refund. */
export const previewSchema = v.object({
  result: v.picklist(results),
  callsWon: v.number(),
  callsLost: v.number(),
  callsRefunded: v.number(),
  /** Players with a total gain, and players with a total loss. */
  winners: v.number(),
  losers: v.number(),
  /** The payouts of the winning calls, their own wagers included. */
  ...money("paidOut", "refunded"),
  /** The largest gain of a player; 0 without winners. */
  ...money("largestWin"),
  /**
   * Of a correction: what is taken back from players, and how much of it they do not have any more and owe. Processes of the release
   * before leave them out.
   */
  takenBack: v.optional(dollars),
  takenBackCents: v.optional(cents),
  owed: v.optional(dollars),
  owedCents: v.optional(cents),
});
export type EventPreview = v.InferOutput<typeof previewSchema>;
export const previewAnswer = v.object({ preview: previewSchema });
/** How an event was settled, without names: only the viewer's own calls can be identified. */
export const settlementAnswer = v.object({
  event: eventSchema,
  /** Oldest first; the last one is in force. Empty before the result. */
  settlements: v.array(settlementSchema),
  callersCount: v.number(),
  callsCount: v.number(),
  /** The largest groups, winners first. */
  payouts: v.array(payoutGroupSchema),
  payoutGroupsCount: v.number(),
});
export type SettlementAnswer = v.InferOutput<typeof settlementAnswer>;
