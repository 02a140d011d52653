import { expect, test } from "bun:test";
import { stageEventAt } from "#client/screens/stage/stage-event.ts";
import { sceneAt } from "#client/screens/stage/stage-screen.tsx";
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
