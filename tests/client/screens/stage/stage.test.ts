import { expect, test } from "bun:test";
import { sceneAt, stageEventAt } from "#client/events/stage-scene.ts";
import { nameBoardOf } from "#client/screens/stage/lobby.tsx";
import { widthOf } from "#client/screens/stage/text-width.ts";
import { presentScore } from "#src/play/leaderboard/find-scores.ts";
import { WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { paceLimits } from "#src/show/events/pace/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { StageDecision } from "#src/show/stage/schemas.ts";
import {
  buildActionState,
  buildEvent,
  buildSession,
  inSeconds,
  NOW_MS,
} from "#tests/client/events/action-states.ts";

const DURATION_S = 15;
/** The host decides so long after each close. */
const DECIDES_S = 0.6;
const LEAD_S = 10;
const STEP_S = 0.1;
/** A step may be missed at each end. */
const leastS = paceLimits.pauseSeconds - 2 * STEP_S;

const sums = {
  played: 1,
  wins: 1,
  losses: 0,
  netCents: 100,
  wageredCents: 100,
  currentStreak: 1,
  bestStreak: 1,
};
const player = { userId: 1, username: "ana", avatar: null };
const leader = presentScore({ ...player, ...sums, rank: 1, sharedBy: 1, previousRank: null }, 1);

/** A question that opens at a moment, as it is at another one. */
function questionAt(id: number, opensAtS: number, nowS: number, delayS: number): EventView[] {
  const [closesAtS, decidedAtS] = [opensAtS + DURATION_S, opensAtS + DURATION_S + DECIDES_S];
  const paidAtS = decidedAtS + delayS;
  if (nowS < opensAtS - LEAD_S) return [];
  const times = { id, opensAt: inSeconds(opensAtS), closesAt: inSeconds(closesAtS) };
  if (nowS < opensAtS) return [buildEvent({ ...times, state: "visible", openedAt: null })];
  const opened = { ...times, openedAt: inSeconds(opensAtS) };
  if (nowS < closesAtS) return [buildEvent({ ...opened, state: "open" })];
  const closed = { ...opened, closedAt: inSeconds(closesAtS) };
  if (nowS < decidedAtS) return [buildEvent({ ...closed, state: "closed" })];
  if (nowS < paidAtS)
    return [buildEvent({ ...closed, state: "closed", pendingResult: true, paysAt: inSeconds(paidAtS) })];
  return [buildEvent({ ...closed, state: "resolved", result: true, resolvedAt: inSeconds(paidAtS) })];
}

/** For how many seconds each scene of three questions is on the screen, as "scene question". */
function secondsOf(delayS: number, waitS: number): Map<string, number> {
  const everyS = DURATION_S + DECIDES_S + delayS + waitS;
  const settings = { ...buildSession().settings, settlementDelaySeconds: delayS };
  const shown = new Map<string, number>();
  for (let nowS = 0; nowS < 3 * everyS; nowS += STEP_S) {
    const events = [1, 2, 3].flatMap((id) => questionAt(id, (id - 1) * everyS, nowS, delayS));
    const state = { ...buildActionState(events), session: buildSession({ settings }), leaders: [leader] };
    const nowMs = NOW_MS + nowS * 1_000;
    const current = stageEventAt(state, nowMs);
    const key = `${sceneAt(state, current, nowMs)} ${current.event?.id}`;
    shown.set(key, (shown.get(key) ?? 0) + STEP_S);
  }
  return shown;
}

test.each([5, 0, 30])(
  "by the default plan the big screen shows each result, and the leaders after it (%p s of delay)",
  (delayS) => {
    const shown = secondsOf(delayS, WAIT_DEFAULT_SECONDS);
    for (const id of [1, 2, 3]) expect(shown.get(`result ${id}`) ?? 0).toBeGreaterThanOrEqual(leastS);
    const leadersS = [...shown]
      .filter(([key]) => key.startsWith("between"))
      .reduce((sum, [, seconds]) => sum + seconds, 0);
    expect(leadersS).toBeGreaterThanOrEqual(2 * leastS);
  },
);

test("where the next question opens soon the result stays until then, and is not replaced by what comes", () => {
  const shown = secondsOf(0, paceLimits.pauseSeconds);
  for (const id of [1, 2, 3]) expect(shown.get(`result ${id}`) ?? 0).toBeGreaterThanOrEqual(leastS);
});

/** What is on the big screen at each of these seconds, as "scene question". */
function shownAt(seconds: readonly number[], { events, decisions, leadersAtS }: Room): string[] {
  const leadersAt = leadersAtS === undefined ? {} : { leadersAt: inSeconds(leadersAtS) };
  const session = buildSession({ settings: { ...buildSession().settings, ...leadersAt } });
  const state = { ...buildActionState(events), session, leaders: [leader], decisions };
  return seconds.map((second) => {
    const nowMs = NOW_MS + second * 1_000;
    const current = stageEventAt(state, nowMs);
    const scene = sceneAt(state, current, nowMs);
    return scene === "between" ? scene : `${scene} ${current.event?.id}`;
  });
}

type Room = { events: EventView[]; decisions: StageDecision[]; leadersAtS?: number };

/** A question that was open from one second to another one, with its result. */
const played = (
  id: number,
  [openedS, closedS]: readonly [number, number],
  changes: Partial<EventView> = {},
) =>
  buildEvent({
    id,
    state: "resolved",
    result: true,
    openedAt: inSeconds(openedS),
    closedAt: inSeconds(closedS),
    closesAt: inSeconds(closedS),
    resolvedAt: inSeconds(closedS + 1),
    ...changes,
  });
const decided = (eventId: number, atS: number, correctedS: number | null = null): StageDecision => ({
  eventId,
  at: inSeconds(atS),
  corrected: correctedS === null ? null : { at: inSeconds(correctedS), was: "false" },
});
const later = buildEvent({ id: 9, state: "visible", opensAt: inSeconds(600), openedAt: null });

test("on the big screen a correction is a scene of five seconds, also when another question is the last", () => {
  const events = [played(1, [-60, -50]), played(2, [-40, -30]), later];
  const decisions = [decided(1, -49, 0), decided(2, -29)];
  expect(shownAt([-1, 0, 4.9, 5], { events, decisions: [decided(2, -29), decided(1, -49)] })).toEqual(
    Array.from({ length: 4 }, () => "between"),
  );
  expect(shownAt([0, 4.9, 5], { events, decisions })).toEqual(["result 1", "result 1", "between"]);
});

test("on the big screen a result stays until its explanation is read, ten seconds at most", () => {
  const decisions = [decided(1, 0)];
  for (const [words, seconds] of [
    [10, 5],
    [24, 7.2],
    [80, 10],
  ] as const) {
    const explanation = "why ".repeat(words);
    const events = [played(1, [-10, -1], { explanation, resolvedAt: inSeconds(0) }), later];
    const times = [seconds - 0.1, seconds];
    expect(shownAt(times, { events, decisions }), explanation).toEqual(["result 1", "between"]);
  }
});

test("on the big screen a correction is told after the show too, and then the end again", () => {
  const session = buildSession({ state: "stopped", stoppedAt: inSeconds(-20) });
  const state = { ...buildActionState([played(1, [-60, -50])]), session, leaders: [leader] };
  const corrected = { ...state, decisions: [decided(1, -49, 0)] };
  const at = (second: number) => {
    const nowMs = NOW_MS + second * 1_000;
    return sceneAt(corrected, stageEventAt(corrected, nowMs), nowMs);
  };
  expect([at(4.9), at(5)]).toEqual(["result", "end"]);
});

test("on the big screen what is decided while a question is open is told after it, one result after the other, and never over it", () => {
  const paid = { resolvedAt: inSeconds(-5) };
  const before = [played(1, [-90, -80], paid), played(2, [-70, -60], paid)];
  const decisions = [decided(1, -6), decided(2, -5)];
  const open = buildEvent({ id: 3, openedAt: inSeconds(-30), closesAt: inSeconds(30) });
  expect(shownAt([-4, 0, 10], { events: [...before, open], decisions })).toEqual(
    Array.from({ length: 3 }, () => "question 3"),
  );
  const closed = buildEvent({ id: 3, state: "closed", openedAt: inSeconds(-30), closedAt: inSeconds(0) });
  const room = { events: [...before, closed], decisions };
  expect(shownAt([0, 4.9, 5, 9.9, 10], room)).toEqual([
    "result 1",
    "result 1",
    "result 2",
    "result 2",
    "question 3",
  ]);
  const third = played(3, [-30, 0]);
  const all = { events: [...before, third, later], decisions: [...decisions, decided(3, 1)] };
  expect(shownAt([9, 10, 14.9, 15], all)).toEqual(["result 2", "result 3", "result 3", "between"]);
});

test("on the big screen beside questions: a result that the next question has cut off at once comes again after it, and one that was seen does not", () => {
  const next = (openedS: number) =>
    buildEvent({ id: 2, state: "closed", openedAt: inSeconds(openedS), closedAt: inSeconds(20) });
  const at = (openedS: number) =>
    shownAt([21], { events: [played(1, [-10, 0]), next(openedS)], decisions: [decided(1, 1)] });
  expect([at(2), at(4)]).toEqual([["result 1"], ["question 2"]]);
});

test("on the big screen beside questions: the leaders that a host asks for stay until something happens, and never cover an open question", () => {
  const waiting = buildEvent({ id: 2, state: "closed", openedAt: inSeconds(-20), closedAt: inSeconds(-10) });
  const room = { events: [played(1, [-60, -50]), waiting], decisions: [decided(1, -49)] };
  expect(shownAt([0, 30], room)).toEqual(["question 2", "question 2"]);
  expect(shownAt([0, 30], { ...room, leadersAtS: 0 })).toEqual(["between", "between"]);
  const told = { ...room, events: [played(1, [-60, -50]), { ...waiting, pendingResult: true }] };
  expect(shownAt([6], { ...told, decisions: [decided(2, 5)], leadersAtS: 0 })).toEqual(["result 2"]);
  const open = buildEvent({ id: 3, openedAt: inSeconds(-1), closesAt: inSeconds(30) });
  expect(shownAt([1], { ...room, events: [...room.events, open], leadersAtS: 0 })).toEqual(["question 3"]);
  const soon = { ...later, opensAt: inSeconds(20) };
  expect(shownAt([10, 16], { ...room, events: [played(1, [-60, -50]), soon], leadersAtS: 0 })).toEqual([
    "between",
    "question 9",
  ]);
  // Of a show that was started again.
  expect(shownAt([0], { ...room, leadersAtS: -90 })).toEqual(["question 2"]);
});

const crowd = (count: number, name: (index: number) => string = (index) => `player_${index}`) =>
  Array.from({ length: count }, (_, index) => ({ userId: index + 1, username: name(index), picture: null }));
const idsOn = (pages: ReturnType<typeof nameBoardOf>["pages"]) => pages.flat().map(({ userId }) => userId);

test("three names are large, forty smaller, and three hundred come page by page, the last one as full as the others", () => {
  expect(nameBoardOf([])).toEqual({ size: "large", pages: [], newest: [] });
  expect(nameBoardOf(crowd(3)).size).toBe("large");
  expect(nameBoardOf(crowd(11)).size).toBe("medium");
  const { size, pages, newest } = nameBoardOf(crowd(300));
  expect(size).toBe("small");
  expect(pages.length).toBeGreaterThan(1);
  expect(newest[0]?.userId).toBe(300);
  // Who has just come is on no page beside that, and nobody is left out.
  const shown = [...idsOn(pages), ...newest.map(({ userId }) => userId)];
  expect([...new Set(shown)].toSorted((one, other) => one - other)).toEqual(
    crowd(300).map(({ userId }) => userId),
  );
  expect(idsOn(pages).filter((id) => newest.some(({ userId }) => userId === id))).toEqual([]);
  const lengths = pages.map(({ length }) => length);
  expect(Math.min(...lengths)).toBeGreaterThan(Math.max(...lengths) / 2);
});

test("where there are teams, the board has fewer rows: their strip takes the room", () => {
  const rowsOf = (teams: string[]) => nameBoardOf(crowd(300), teams).pages[0]?.length ?? 0;
  const long = ["Wonderful Westmoors", "Windermere Workers", "Midwinter Mammoths"];
  expect(rowsOf(["A", "B"])).toBeLessThan(rowsOf([]));
  expect(rowsOf(long)).toBeLessThan(rowsOf(["A", "B"]));
});

test("a newcomer moves nobody: the pages before stay as they are", () => {
  const before = nameBoardOf(crowd(120)).pages;
  const after = nameBoardOf(crowd(121)).pages;
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
});

test("the longest names are on rows of their own, and emoji, Chinese and vowel signs count as wide as they are", () => {
  const long = nameBoardOf(crowd(12, () => "W".repeat(20)));
  expect(long.size).toBe("small");
  expect(widthOf("先制点")).toBeGreaterThan(widthOf("aaa") * 1.5);
  expect(widthOf("\u{1F3C6}\u{1F3C6}")).toBeGreaterThan(2);
  expect(widthOf("e\u0301")).toBe(widthOf("e"));
});
