import { expect, test, describe } from "bun:test";
import { nameBoardOf } from "#client/screens/stage/lobby.tsx";
import { stageEventAt } from "#client/screens/stage/stage-event.ts";
import { sceneAt } from "#client/screens/stage/stage-screen.tsx";
import { widthOf } from "#client/screens/stage/text-width.ts";
import { presentScore } from "#src/play/leaderboard/find-scores.ts";
import { WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { paceLimits } from "#src/show/events/pace/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
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
  if (nowS < opensAtS) return [buildEvent({ ...times, state: "visible" })];
  if (nowS < closesAtS) return [buildEvent({ ...times, state: "open" })];
  const closed = { ...times, closedAt: inSeconds(closesAtS) };
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

const crowd = (count: number, name: (index: number) => string = (index) => `player_${index}`) =>
  Array.from({ length: count }, (_, index) => ({
    userId: index + 1,
    username: name(index),
    picture: null,
  }));
const idsOn = (pages: ReturnType<typeof nameBoardOf>["pages"]) => pages.flat().map(({ userId }) => userId);

test("three names are large, forty smaller, and three hundred come page by page, each once and in order", () => {
  expect(nameBoardOf([])).toEqual({ size: "large", pages: [], newest: [] });
  expect(nameBoardOf(crowd(3)).size).toBe("large");
  expect(nameBoardOf(crowd(11)).size).toBe("medium");
  const { size, pages, newest } = nameBoardOf(crowd(300));
  expect(size).toBe("small");
  expect(pages.length).toBeGreaterThan(1);
  expect(idsOn(pages)).toEqual(crowd(300).map(({ userId }) => userId));
  expect(newest[0]?.userId).toBe(300);
});

test("a newcomer moves nobody: the pages before stay as they are", () => {
  const before = nameBoardOf(crowd(120)).pages;
  const after = nameBoardOf(crowd(121)).pages;
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  expect(idsOn(after).slice(0, 120)).toEqual(idsOn(before));
});

test("the longest names are on rows of their own, and emoji, Chinese and vowel signs count as wide as they are", () => {
  const long = nameBoardOf(crowd(12, () => "W".repeat(20)));
  expect(long.size).toBe("small");
  expect(widthOf("先制点")).toBeGreaterThan(widthOf("aaa") * 1.5);
  expect(widthOf("\u{1F3C6}\u{1F3C6}")).toBeGreaterThan(2);
  expect(widthOf("e\u0301")).toBe(widthOf("e"));
});

describe("the scene", () => {
  const resolved = buildEvent({ id: 1, state: "resolved", result: true, resolvedAt: inSeconds(0) });
  const visible = buildEvent({ id: 2, state: "visible", opensAt: inSeconds(60) });
  const at = (seconds: number) => Date.parse(inSeconds(seconds));
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

  test("is the result for a while, then the leaders, and the next question before it opens", () => {
    const state = { ...buildActionState([resolved, visible]) };
    const withLeaders = { ...state, leaders: [leader] };
    const result = { event: resolved, phase: "resolved" } as const;
    expect(sceneAt(withLeaders, result, at(1))).toBe("result");
    expect(sceneAt(withLeaders, result, at(16))).toBe("between");
    const next = { event: visible, phase: "visible" } as const;
    expect(sceneAt(withLeaders, next, at(20))).toBe("between");
    expect(sceneAt(withLeaders, next, at(56))).toBe("question");
    // Without leaders there is nothing to show but the question.
    expect(sceneAt(state, next, at(20))).toBe("question");
  });

  test("is the lobby before the start and the end after it", () => {
    const state = buildActionState([]);
    expect(sceneAt(state, { event: null, phase: "pending" }, at(0))).toBe("lobby");
    expect(sceneAt(state, { event: null, phase: "waiting" }, at(0))).toBe("between");
    expect(sceneAt(state, { event: null, phase: "stopped" }, at(0))).toBe("end");
  });
});
