import type { AutoResult, StartMode } from "#db/lists/events.ts";
import { durationSeconds } from "#db/lists/limits.ts";

// Decision: what is rushed is measured here, for plans (the checklist before a show) and for what was played (the dry run), so that
// both say the same of the same show, and a remark comes with the change that answers it.

/** What may feel rushed in the course of a show. */
export const paceRules = [
  "little_time_to_read",
  "no_pause_after_result",
  "opens_before_result",
  "little_time_to_decide",
] as const;
export type PaceRule = (typeof paceRules)[number];

/** True for what a change of the plan can answer. */
export function isPaceRule(rule: string): rule is PaceRule {
  return paceRules.some((known) => known === rule);
}

/** From when on something counts as rushed. */
export const paceLimits = {
  /** People read about 200 words a minute. */
  wordsPerSecond: 200 / 60,
  /** To look, to decide and to tap, besides reading. */
  decideSeconds: 5,
  /** Between a result and the opening of the next question. It is shown once it is decided, before it is paid; the big screen shows it so
   * long before anything else. */
  pauseSeconds: 5,
  /** The most that a longer explanation adds up to: what the room has not read by then is on the phones. */
  explainedSeconds: 10,
  /** The time that a host gets for a result. */
  resolveSeconds: 10,
};

/** A host who waits for the close decides within this time. */
export const HOST_DECIDES_SECONDS = 5;

/** An action, with the moments that were planned or played; null where there is none. */
export type PacedEvent = {
  title: string;
  description: string;
  trueLabel: string;
  falseLabel: string;
  /** Read with the result. */
  explanation?: string | undefined;
  autoResult: AutoResult | null;
  resolveWithinSeconds: number;
  visibleAtMs: number | null;
  openedAtMs: number | null;
  closesAtMs: number | null;
  decidedAtMs: number | null;
};

/** `event`: its number, from 1 on. `wanted`: from where on it is not rushed. */
export type PaceRemark = { rule: PaceRule; event: number; measured: number; wanted: number };

type PlannedTerms = Omit<PacedEvent, "visibleAtMs" | "openedAtMs" | "closesAtMs" | "decidedAtMs"> & PaceTerms;
/** When an action opens and closes by the plan, in milliseconds after the start of the session. */
type PlannedSlot = { opensInMs: number; closesInMs: number };

const SECOND_MS = 1_000;

/**
 * The moments of a plan, as if each host took the time that a host may take. An action is visible its lead before it opens, and not
 * before the one before it has closed. What waits for a result that somebody decides has the time of the settlement delay too.
 * @param slotOf the planned times of the action at an index; undefined if it waits for a result or for the host.
 */
export function paceOfPlan(
  events: readonly PlannedTerms[],
  { slotOf, ...settings }: PlanSettings & { slotOf: (index: number) => PlannedSlot | undefined },
): PacedEvent[] {
  const paced: PacedEvent[] = [];
  for (const [index, event] of events.entries()) {
    const before = paced[index - 1];
    paced.push(atSlot(event, slotOf(index) ?? slotAfter(event, before, settings), { before, ...settings }));
  }
  return paced;
}

type PlanSettings = { leadSeconds: number; settlementDelaySeconds: number };

function atSlot(
  event: PlannedTerms,
  slot: PlannedSlot | undefined,
  { before, leadSeconds }: PlanSettings & { before: PacedEvent | undefined },
): PacedEvent {
  if (slot === undefined)
    return { ...event, visibleAtMs: null, openedAtMs: null, closesAtMs: null, decidedAtMs: null };
  const { opensInMs, closesInMs } = slot;
  const decidedSeconds = event.autoResult === null ? HOST_DECIDES_SECONDS : event.resolveWithinSeconds;
  return {
    ...event,
    visibleAtMs: Math.max(before?.closesAtMs ?? 0, opensInMs - leadSeconds * SECOND_MS),
    openedAtMs: opensInMs,
    closesAtMs: closesInMs,
    decidedAtMs: closesInMs + decidedSeconds * SECOND_MS,
  };
}

/** The times of an action that has none in the plan, because it follows a result; undefined where that has none either. */
function slotAfter(
  { startMode, offsetSeconds, durationSeconds }: PlannedTerms,
  before: PacedEvent | undefined,
  { settlementDelaySeconds }: PlanSettings,
): PlannedSlot | undefined {
  if (before === undefined || before.closesAtMs === null || before.decidedAtMs === null) return undefined;
  const delayMs = before.autoResult === null ? settlementDelaySeconds * SECOND_MS : 0;
  const fromMs = { after_previous: before.closesAtMs, after_result: before.decidedAtMs + delayMs };
  if (startMode !== "after_previous" && startMode !== "after_result") return undefined;
  const opensInMs = fromMs[startMode] + offsetSeconds * SECOND_MS;
  return { opensInMs, closesInMs: opensInMs + durationSeconds * SECOND_MS };
}

/** What may feel rushed, action by action. */
export function findRemarks(events: readonly PacedEvent[]): PaceRemark[] {
  return events.flatMap((event, index) => {
    const number = index + 1;
    return [readingOf(event), pauseBefore(event, events[index - 1]), decidingOf(event)].flatMap((found) =>
      found === null ? [] : [{ ...found, event: number }],
    );
  });
}

type Found = Omit<PaceRemark, "event"> | null;

function readingOf(event: PacedEvent): Found {
  const fromMs = event.visibleAtMs ?? event.openedAtMs;
  if (fromMs === null || event.closesAtMs === null) return null;
  const wanted = oneDecimal(wordsOf(event) / paceLimits.wordsPerSecond + paceLimits.decideSeconds);
  const measured = secondsBetween(fromMs, event.closesAtMs);
  return measured < wanted ? { rule: "little_time_to_read", measured, wanted } : null;
}

function pauseBefore({ openedAtMs }: PacedEvent, before: PacedEvent | undefined): Found {
  if (openedAtMs === null || before === undefined || before.decidedAtMs === null) return null;
  const measured = secondsBetween(before.decidedAtMs, openedAtMs);
  const wanted = resultSeconds(before);
  if (measured < 0) return { rule: "opens_before_result", measured, wanted };
  return measured < wanted ? { rule: "no_pause_after_result", measured, wanted } : null;
}

function decidingOf({ autoResult, resolveWithinSeconds: measured }: PacedEvent): Found {
  const wanted = paceLimits.resolveSeconds;
  return autoResult === null && measured < wanted
    ? { rule: "little_time_to_decide", measured, wanted }
    : null;
}

/** So long a result is on the big screen before anything but an open question: until its explanation is read. */
export function resultSeconds({ explanation = "" }: Pick<PacedEvent, "explanation">): number {
  const readSeconds = oneDecimal(countWords([explanation]) / paceLimits.wordsPerSecond);
  return Math.min(paceLimits.explainedSeconds, Math.max(paceLimits.pauseSeconds, readSeconds));
}

const wordsOf = ({ title, description, trueLabel, falseLabel }: PacedEvent) =>
  countWords([title, description, trueLabel, falseLabel]);

function countWords(texts: readonly string[]): number {
  return texts.join(" ").split(/\s+/).filter(Boolean).length;
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;
const secondsBetween = (fromMs: number, toMs: number) => oneDecimal((toMs - fromMs) / 1_000);

/** What the pace of an action is made of. */
export type PaceTerms = {
  startMode: StartMode;
  offsetSeconds: number;
  durationSeconds: number;
  resolveWithinSeconds: number;
};
export type PaceChange = Partial<Omit<PaceTerms, "startMode">>;

/**
 * The changes that answer remarks: longer open, a longer wait, more time for the result. Actions at an offset move along with what
 * comes before them.
 * @returns by the index of the action; nothing for those that stay as they are.
 */
export function answerRemarks(
  events: readonly PaceTerms[],
  remarks: readonly Pick<PaceRemark, "rule" | "event" | "measured" | "wanted">[],
): Map<number, PaceChange> {
  const changes = new Map<number, PaceChange>();
  let laterSeconds = 0;
  for (const [index, event] of events.entries()) {
    const own = remarks.filter((remark) => remark.event === index + 1);
    const lacking = (...rules: PaceRule[]) =>
      Math.ceil(Math.max(0, ...own.filter(({ rule }) => rules.includes(rule)).map(lackOf)));
    const longer = Math.min(lacking("little_time_to_read"), durationSeconds.max - event.durationSeconds);
    const wait = event.startMode === "by_hand" ? 0 : lacking("no_pause_after_result", "opens_before_result");
    const shift = event.startMode === "offset" ? laterSeconds + wait : wait;
    const change: PaceChange = {};
    if (longer > 0) change.durationSeconds = event.durationSeconds + longer;
    if (shift > 0) change.offsetSeconds = event.offsetSeconds + shift;
    if (lacking("little_time_to_decide") > 0) change.resolveWithinSeconds = paceLimits.resolveSeconds;
    if (Object.keys(change).length > 0) changes.set(index, change);
    laterSeconds = (event.startMode === "offset" ? 0 : laterSeconds) + shift + longer;
  }
  return changes;
}

/** Seconds. Dry runs of before want none where a question opens before a result, which needs the pause besides. */
function lackOf({ rule, measured, wanted }: Pick<PaceRemark, "rule" | "measured" | "wanted">): number {
  const least = rule === "opens_before_result" ? paceLimits.pauseSeconds : 0;
  return Math.max(least, wanted) - measured;
}
