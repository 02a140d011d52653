import type { EventResult } from "#db/lists/events.ts";
import type { Side } from "#db/lists/spots.ts";
import type { Random } from "#src/base/random.ts";
import type { DryRunOptions, Plan, Report } from "../schemas.ts";
import type { Agenda, Show } from "./show.ts";

/** The session starts at this moment of the virtual clock. It is in no result. */
export const START_MS = Date.parse("2026-01-01T20:00:00Z");

/** What a player does: a tap on a side, with its wager. Times are on the virtual clock. */
export type PlannedTap = {
  /** The positions of the event and of the player in their lists, from 0 on. */
  event: number;
  player: number;
  side: Side;
  wagerCents: number;
  tappedAtMs: number;
  arrivedAtMs: number;
};
/** A tap that has reached the server. */
export type Tap = PlannedTap & {
  /** "placed", or the code of the refusal. */
  answer: string;
  callId: number | null;
};

export type EventRecord = {
  visibleAtMs: number | null;
  openedAtMs: number | null;
  /** As planned when it opened: calls are judged by it. */
  closesAtMs: number | null;
  closedAtMs: number | null;
  /** When the result was known, which may be before it counts. */
  decidedAtMs: number | null;
  resolvedAtMs: number | null;
  paidAtMs: number | null;
  result: EventResult | null;
};

export type Play = {
  show: Show;
  dice: Random;
  plan: Plan;
  options: DryRunOptions;
  sessionId: number;
  host: { id: number };
  players: readonly number[];
  /** What people are going to do. */
  agenda: Agenda<{ atMs: number; act: () => Promise<void> }>;
  taps: Tap[];
  timeline: Report["timeline"];
  /** By the position of the event in the plan. */
  records: EventRecord[];
  /** Called after every step; throws to stop. */
  pulse: (progress: { eventsDone: number; callsCount: number }) => Promise<void>;
};
