import * as v from "valibot";
import { callShape } from "#src/calls/contract.ts";
import { cents, dollars, listMeta, moment, rowId, textBlock, wholeNumber } from "#src/http/contract.ts";
import { spotShape } from "#src/spots/contract.ts";

export const eventStates = [
  "draft",
  "visible",
  "open",
  "closed",
  "resolved",
  "hidden",
  "soft_destroyed",
] as const;
export type EventState = (typeof eventStates)[number];
export const eventStateLabels: Record<EventState, string> = {
  draft: "Draft",
  visible: "Visible",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
  soft_destroyed: "Destroyed",
};
/** The states in which players may see an event. */
export const publishedStates: readonly EventState[] = ["visible", "open", "closed", "resolved"];

export const results = ["true", "false", "void"] as const;
export type EventResult = (typeof results)[number];

/** Body of PATCH /api/v1/events/:id/state under `event`. */
export const changeStateBody = v.strictObject({
  stateEvent: v.optional(v.string()),
  state: v.optional(v.picklist(eventStates, "is invalid")),
  result: v.optional(v.union([v.boolean(), v.picklist(results)], "is invalid")),
  effectiveAt: v.optional(moment),
  reason: v.optional(textBlock(500)),
});
export type ChangeStateBody = v.InferOutput<typeof changeStateBody>;

/** Body of PUT /api/v1/events/:id/skip and /advance under `event`; it may be left out. */
export const actionBody = v.strictObject({ reason: v.optional(textBlock(500)) });
/** Body of PUT /api/v1/events/:id/delay under `event`; it may be left out. */
export const delayBody = v.strictObject({
  seconds: v.optional(wholeNumber(-600, 600), 30),
  reason: v.optional(textBlock(500)),
});

export const eventShape = v.object({
  id: rowId,
  sessionId: v.nullable(rowId),
  blueprintEventId: v.nullable(rowId),
  position: v.number(),
  title: v.string(),
  description: v.string(),
  trueLabel: v.string(),
  falseLabel: v.string(),
  state: v.picklist(eventStates),
  result: v.nullable(v.boolean()),
  voided: v.boolean(),
  resultReason: v.nullable(v.string()),
  opensAt: v.nullable(moment),
  openedAt: v.nullable(moment),
  closesAt: v.nullable(moment),
  closedAt: v.nullable(moment),
  resolveBy: v.nullable(moment),
  resolvedAt: v.nullable(moment),
  publishedAt: v.nullable(moment),
  createdAt: moment,
  updatedAt: moment,
  durationSeconds: v.number(),
  minWager: dollars,
  minWagerCents: cents,
  maxWager: v.nullable(dollars),
  maxWagerCents: v.nullable(cents),
  /** True first, False second, always. */
  spots: v.tuple([spotShape, spotShape]),
  pool: v.object({ true: dollars, false: dollars, total: dollars }),
  callsCount: v.number(),
  /** The viewer's own calls of this round, oldest first; empty in broadcasts. */
  myCalls: v.array(callShape),
  version: v.number(),
});
export type EventView = v.InferOutput<typeof eventShape>;
export const eventAnswer = v.object({ event: eventShape });
export const eventsAnswer = v.object({ events: v.array(eventShape), meta: listMeta });
export type EventsAnswer = v.InferOutput<typeof eventsAnswer>;
