import * as v from "valibot";
import { eventStates, results } from "#db/lists/events.ts";
import { sessionStates } from "#db/lists/sessions.ts";
import { cents, moment, money, rowId } from "#src/http/schemas.ts";
import { questionPicture } from "#src/show/events/schemas.ts";
import { sessionAuditSubjects } from "#src/show/sessions/contract.ts";

const maybeMoment = v.nullable(moment);

const replaySession = v.object({
  name: v.string(),
  state: v.picklist(sessionStates),
  startsAt: maybeMoment,
  startedAt: maybeMoment,
  pausedAt: maybeMoment,
  stoppedAt: maybeMoment,
});
export type ReplaySession = v.InferOutput<typeof replaySession>;

const replayEvent = v.object({
  id: rowId,
  /** False while viewers could not see it: for players drafts and hidden events, for admins deleted ones. */
  shown: v.boolean(),
  position: v.number(),
  title: v.string(),
  /** Left out without one, and for a part of a session that another release has logged. */
  picture: v.optional(questionPicture),
  /** Left out without one, and until the result is decided. */
  explanation: v.optional(v.string()),
  trueLabel: v.string(),
  falseLabel: v.string(),
  state: v.picklist(eventStates),
  /** Increases with every reset. A pool belongs to a round. */
  round: v.number(),
  result: v.nullable(v.picklist(results)),
  resultReason: v.nullable(v.string()),
  /** The result that waits for the settlement delay. */
  pendingResult: v.nullable(v.picklist(results)),
  /** Calls placed at or after it are refunded. */
  effectiveAt: maybeMoment,
  durationSeconds: v.number(),
  opensAt: maybeMoment,
  openedAt: maybeMoment,
  closesAt: maybeMoment,
  closedAt: maybeMoment,
  resolvedAt: maybeMoment,
});
export type ReplayEvent = v.InferOutput<typeof replayEvent>;

/** The pool of an event's round at a second, after all calls until then. */
const replayPool = v.object({
  eventId: rowId,
  round: v.number(),
  trueCents: cents,
  trueCalls: v.number(),
  falseCents: cents,
  falseCalls: v.number(),
});
export type ReplayPoolChange = v.InferOutput<typeof replayPool>;

const replayLeaders = v.object({
  leaders: v.array(
    v.object({
      userId: rowId,
      rank: v.number(),
      tied: v.boolean(),
      wins: v.number(),
      losses: v.number(),
      pushes: v.number(),
      netCents: cents,
      currentStreak: v.number(),
      bestStreak: v.number(),
    }),
  ),
  /** By rank; left out in a session without teams. Each player counts for the team of the end, at all moments. */
  teams: v.exactOptional(
    v.array(
      v.object({
        number: v.number(),
        name: v.string(),
        rank: v.number(),
        tied: v.boolean(),
        playersCount: v.number(),
        netCents: cents,
        scoreCents: cents,
      }),
    ),
  ),
  totalCount: v.number(),
});
export type ReplayLeaders = v.InferOutput<typeof replayLeaders>;

const replayAct = v.object({
  id: rowId,
  /** Null: a timer. `token`: the name of the access token by which a program did it. */
  actor: v.nullable(v.object({ id: rowId, username: v.string(), token: v.nullable(v.string()) })),
  action: v.string(),
  /** The result that it gave, or by how much it delayed. */
  after: v.object({
    result: v.exactOptional(v.string()),
    pendingResult: v.exactOptional(v.string()),
    shiftMs: v.exactOptional(v.number()),
  }),
  subject: v.object({ type: v.picklist(sessionAuditSubjects), id: rowId }),
  reason: v.nullable(v.string()),
});
export type ReplayAct = v.InferOutput<typeof replayAct>;

const replayStep = v.object({
  at: moment,
  /** Null: not changed. */
  session: v.nullable(replaySession),
  events: v.array(replayEvent),
  /** The changed ones, after all calls until this second. */
  pools: v.array(replayPool),
  /** The first ten; null: not changed. */
  leaders: v.nullable(replayLeaders),
  /** For admins; otherwise empty. */
  acts: v.array(replayAct),
});
export type ReplayStep = v.InferOutput<typeof replayStep>;

/** `?after=...&until=...`: the steps of this time, both as in an answer before. */
export const replayQuery = v.object({
  after: v.optional(moment),
  until: v.optional(moment),
  /** Only what the replay is, without its steps. */
  head: v.optional(v.literal("true")),
});
export type ReplayQuery = v.InferOutput<typeof replayQuery>;

export const replayAnswer = v.object({
  replay: v.object({
    sessionId: rowId,
    slug: v.string(),
    name: v.string(),
    /** True for admins: with drafts and what people did. Players get the reduced form. */
    full: v.boolean(),
    steps: v.array(replayStep),
    players: v.array(v.object({ id: rowId, username: v.string() })),
    /** To get the next part, send it as `after`; null: this is the last part. */
    next: v.nullable(moment),
    /** The replay ends here. Send it with `after`, so that all parts end at the same moment. */
    until: moment,
    /** Null: every change was logged. */
    derivedUntil: v.nullable(moment),
  }),
});
export type ReplayAnswer = v.InferOutput<typeof replayAnswer>;
export type ReplayView = ReplayAnswer["replay"];

export const exportQuery = v.object({
  format: v.optional(v.picklist(["json", "csv"], "is invalid"), "json"),
});
export type ExportQuery = v.InferOutput<typeof exportQuery>;

/** One decision on an event's payouts, also one that was replaced or reset. */
export const decisionSchema = v.object({
  id: rowId,
  eventId: rowId,
  eventTitle: v.string(),
  round: v.number(),
  /** 1, plus 1 for every correction. */
  version: v.number(),
  result: v.picklist(results),
  effectiveAt: maybeMoment,
  superseded: v.boolean(),
  callsCount: v.number(),
  decidedAt: moment,
});
export type DecisionView = v.InferOutput<typeof decisionSchema>;
export const decisionsAnswer = v.object({ decisions: v.array(decisionSchema) });

export const decisionCheckAnswer = v.object({
  check: v.object({
    id: rowId,
    callsCount: v.number(),
    ...money("paid"),
    /** Calls that got, or by a replaced decision were to get, another amount than the formula gives. */
    differencesCount: v.number(),
    /** The first ones. */
    differences: v.array(
      v.object({ callId: rowId, wagerCents: cents, paidCents: cents, expectedCents: cents }),
    ),
  }),
});
export type DecisionCheckAnswer = v.InferOutput<typeof decisionCheckAnswer>;
