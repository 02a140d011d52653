import * as v from "valibot";
import { eventStates, results } from "#db/lists/events.ts";
import { sessionStates } from "#db/lists/sessions.ts";
import { cents, dollars, moment, money, rowId } from "#src/http/schemas.ts";
import { sheetTables } from "./contract.ts";

export const sheetPlayer = v.object({
  userId: rowId,
  username: v.string(),
  /** As on the leaderboard; null without a result, and for players who are not ranked. */
  rank: v.nullable(v.number()),
  /** The name of the player's team; null without one. */
  team: v.nullable(v.string()),
  won: v.number(),
  lost: v.number(),
  /** Refunded calls count as neither wagered nor returned. */
  ...money("wagered", "returned", "net"),
});

export const sheetQuestion = v.object({
  eventId: rowId,
  position: v.number(),
  question: v.string(),
  trueLabel: v.string(),
  falseLabel: v.string(),
  state: v.picklist(eventStates),
  result: v.nullable(v.picklist(results)),
  openedAt: v.nullable(moment),
  closedAt: v.nullable(moment),
  resolvedAt: v.nullable(moment),
  /** Players who called it, each once. */
  callers: v.number(),
  ...money("truePool", "falsePool", "pool"),
  /** What its calls were paid, with refunds; null before it is paid. */
  paid: v.nullable(dollars),
  paidCents: v.nullable(cents),
  /** Players who were right, as streaks count them; null without a result, and for a void. */
  right: v.nullable(v.number()),
  /** What explains the result; empty without one, and before the result. */
  explanation: v.string(),
});
export type SheetQuestion = v.InferOutput<typeof sheetQuestion>;

/** The results sheet of a session. All figures are of one moment. */
export const sheetAnswer = v.object({
  sheet: v.object({
    session: v.object({
      id: rowId,
      slug: v.string(),
      name: v.string(),
      state: v.picklist(sessionStates),
      startedAt: v.nullable(moment),
      stoppedAt: v.nullable(moment),
    }),
    /** Who has joined or has a result, by rank; those without a rank last. */
    players: v.array(sheetPlayer),
    /** In the running order, also those that are hidden. */
    questions: v.array(sheetQuestion),
  }),
});
export type ResultsSheet = v.InferOutput<typeof sheetAnswer>["sheet"];

/** `?table=questions` */
export const sheetQuery = v.object({
  table: v.optional(v.picklist(sheetTables, "is invalid"), "players"),
});
export type SheetQuery = v.InferOutput<typeof sheetQuery>;
