import * as v from "valibot";
import { callStates, outcomes } from "#db/lists/calls.ts";
import { sides } from "#db/lists/spots.ts";
import { cents, dollars, moment, money, rowId, textLine } from "#src/http/schemas.ts";
import { EMAIL_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { partStates } from "./contract.ts";

const state = v.picklist(partStates);
/** Null while there is no answer. */
const answerMs = v.nullable(v.number());

const partsSchema = v.object({
  database: v.object({
    state,
    answerMs,
    /** The transaction that has kept locks for the longest while its process said nothing. Left out without one. */
    held: v.optional(
      v.object({
        /** "web-2 (process 4711 on host-a)" */
        holder: v.string(),
        since: moment,
        /** The events that it holds up. */
        eventIds: v.array(rowId),
      }),
    ),
  }),
  redis: v.object({ state, answerMs }),
  queues: v.object({
    state,
    /** Jobs that are due and not begun; null while Redis is away. */
    waiting: v.nullable(v.number()),
    /** Jobs that were given up in the last day; null while Redis is away. */
    failed: v.nullable(v.number()),
    /** Whether a worker takes jobs; null where that is not known. */
    working: v.nullable(v.boolean()),
  }),
  /** What players' pages are sent. */
  feed: v.object({
    state,
    /** How long ago the oldest fact became true that was not broadcast yet; 0 if there is none. */
    behindMs: v.number(),
  }),
});
export type Parts = v.InferOutput<typeof partsSchema>;

const socketsSchema = v.object({
  count: v.number(),
  /** Clients that read more slowly than messages arrive. */
  slow: v.number(),
  /** How long the slowest client took to answer the last ping; null before the first ping. */
  slowestMs: answerMs,
  /** False while only the sockets of one process are known. */
  complete: v.boolean(),
});
export type Sockets = v.InferOutput<typeof socketsSchema>;

/** What was called within a second, or some seconds. */
export const arrivalsStep = v.object({
  /** How long before the close it began. */
  fromSeconds: v.number(),
  calls: v.number(),
  ...money("true", "false"),
});
export type ArrivalsStep = v.InferOutput<typeof arrivalsStep>;

/** What share of some money came in the last second before the close. */
export const lateMoney = v.object({
  ...money("late", "total"),
  /** From 0 to 1. */
  share: v.number(),
  alarm: v.boolean(),
  /** Some came late, and there are too few calls to judge it. */
  tooFew: v.boolean(),
});
export type LateMoney = v.InferOutput<typeof lateMoney>;

const paceSchema = v.object({
  eventId: rowId,
  callsCount: v.number(),
  /** The calls of each second, oldest first, for a minute at most. */
  perSecond: v.array(v.number()),
  /** How long a step of `arrivals` is. */
  stepSeconds: v.number(),
  /** From the opening to the close, or until now. */
  arrivals: v.array(arrivalsStep),
  /** Null until the event has closed. */
  late: v.nullable(
    v.object({
      sides: v.array(v.object({ side: v.picklist(sides), ...lateMoney.entries })),
      /** Both sides together. */
      ...lateMoney.entries,
      /** The middle one of the same shares in the actions before; null with fewer than three. */
      usualShare: v.nullable(v.number()),
      /** From this share on it is an alarm. */
      alarmShare: v.number(),
    }),
  ),
});
export type Pace = v.InferOutput<typeof paceSchema>;

/** `?event_id=12`: whose calls; left out, those of the event that is open, else of the one that closed last. */
export const healthQuery = v.object({
  eventId: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, "is invalid"), v.transform(Number))),
});

export const healthSchema = v.object({
  parts: partsSchema,
  sockets: socketsSchema,
  /** Entries by code that were refused because they came too fast, until two minutes without one have passed. */
  door: v.object({ held: v.number() }),
  /** Null without an event that has opened. */
  pace: v.nullable(paceSchema),
});
export type HealthView = v.InferOutput<typeof healthSchema>;
export const healthAnswer = v.object({ health: healthSchema, meta: v.object({ serverTime: moment }) });

export const playerCall = v.object({
  id: rowId,
  eventTitle: v.string(),
  label: v.string(),
  side: v.picklist(sides),
  state: v.picklist(callStates),
  outcome: v.nullable(v.picklist(outcomes)),
  ...money("wager"),
  payout: v.nullable(dollars),
  payoutCents: v.nullable(cents),
  placedAt: moment,
});

/** A player as somebody who runs a session looks for one. */
export const foundPlayer = v.object({
  id: rowId,
  username: v.string(),
  guest: v.boolean(),
  registered: v.boolean(),
  /** A host has removed the player from the session. */
  removed: v.boolean(),
  /** The number of the player's team; null: in none. */
  team: v.nullable(v.number()),
  deactivated: v.boolean(),
  /** The wallet: for admins, null for the hosts of the session. */
  available: v.nullable(dollars),
  availableCents: v.nullable(cents),
  held: v.nullable(dollars),
  heldCents: v.nullable(cents),
  /** In this session, without cancelled ones. */
  callsCount: v.number(),
  /** The newest of them. */
  calls: v.array(playerCall),
});
export type FoundPlayer = v.InferOutput<typeof foundPlayer>;

/** `?search=ana` finds part of a username or an email. */
export const playersQuery = v.object({ search: textLine(EMAIL_LENGTH_MAX) });
export const playersAnswer = v.object({
  players: v.array(foundPlayer),
  meta: v.object({ serverTime: moment }),
});
