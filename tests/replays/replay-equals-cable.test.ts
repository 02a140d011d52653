import { expect, test } from "bun:test";
import { type ActionState, initialActionState, reduceActionState } from "#client/events/action-state.ts";
import { createTimeline, type ReplayState } from "#client/screens/replay/timeline.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { showReplay } from "#src/replays/show-replay.ts";
import { findSessionView } from "#src/show/sessions/find-session-views.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildRunningSession } from "#tests/support/build.ts";
import { runClock, stopClockAt } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { asViewer } from "./as-viewer.ts";
import { DrivenShow } from "./driven-show.ts";
import { playShow } from "./play-show.ts";

const SECOND_MS = 1_000;
const startMs = Date.parse("2026-11-21T20:00:00.000Z");

const deps = await testDeps();
const relays = await Relays.open(deps);
afterFile(async () => {
  await relays.stop();
  relays.listener.stop();
});

test("at every second a replay shows what the cable had broadcast by then", async () => {
  await stopClockAt(deps.pool, new Date(startMs));
  afterFile(() => runClock(deps.pool));
  const web = relays.start();
  const { id: sessionId } = await buildRunningSession(web, { settings: { settlementDelaySeconds: 30 } });
  const begin = await buildPageContext(sessionId);
  const show = await DrivenShow.begin(web, relays, { sessionId, nowMs: startMs });
  await playShow(show);

  const viewer = asViewer(show.admin);
  const replay = await showReplay(deps, { slugOrId: String(sessionId), viewer, query: {} });
  expect(replay).toMatchObject({ next: null, derivedUntil: null, full: true });
  const names = new Map(replay.players.map(({ id, username }) => [id, username]));
  const { stateAt } = createTimeline(replay.steps);
  const messages = relays.listener.session(sessionId);
  const seconds = Math.floor((show.nowMs - startMs) / SECOND_MS);
  for (let second = 0; second <= seconds; second += 1) {
    const atMs = startMs + second * SECOND_MS;
    const shown = inReplay(stateAt(atMs), names);
    const page = onPage(foldUntil(begin, messages, atMs));
    expect<unknown>({ second, ...shown }).toEqual({ second, ...page });
  }
  // The show had something to compare.
  expect(onPage(foldUntil(begin, messages, show.nowMs))).toMatchObject({
    session: { state: "stopped" },
    events: [{ state: "resolved", result: "false", callsCount: 4 }, { result: "void" }, { state: "closed" }],
    playersCount: 4,
  });
});

/** The page of a player who opens it before anything has happened. */
async function buildPageContext(sessionId: number): Promise<ActionState> {
  const session = await findSessionView(deps.pool.db, sessionId, null);
  if (session === null) throw new Error("there is no session");
  const asOf = new Date(startMs).toISOString();
  return initialActionState({
    session,
    asOf,
    nextSession: null,
    me: null,
    playersCount: 0,
    events: [],
    leaders: [],
  });
}

/** Applies the broadcasts until a moment by the reducer of the page. */
function foldUntil(begin: ActionState, messages: readonly SessionMessage[], atMs: number): ActionState {
  return messages
    .filter(({ detail }) => Date.parse(detail.serverTime) <= atMs)
    .reduce((state, message) => reduceActionState(state, { kind: "message", message }), begin);
}

function onPage({ session, events, leaders, playersCount }: ActionState) {
  return {
    session: { state: session.state, name: session.name, stoppedAt: session.stoppedAt },
    events: events.map((event) => ({
      id: event.id,
      title: event.title,
      state: event.state,
      result: event.voided ? "void" : wordOf(event.result),
      pendingResult: wordOf(event.pendingResult),
      resultReason: event.resultReason,
      closesAt: event.closesAt,
      trueCents: event.pool.trueCents,
      falseCents: event.pool.falseCents,
      callsCount: event.callsCount,
    })),
    leaders: leaders.map(({ username, rank, tied, wins, losses, pushes, netCents, ...streaks }) => {
      const { currentStreak, bestStreak } = streaks;
      return { username, rank, tied, wins, losses, pushes, netCents, currentStreak, bestStreak };
    }),
    playersCount,
  };
}

const wordOf = (result: boolean | string | null) => (result === null ? null : String(result));

const published: readonly string[] = ["visible", "open", "closed", "resolved"];

function inReplay({ session, events, leaders }: ReplayState, names: ReadonlyMap<number, string>) {
  return {
    session: { state: session?.state, name: session?.name, stoppedAt: session?.stoppedAt },
    events: events
      .filter(({ state, shown }) => shown && published.includes(state))
      .map(({ id, title, state, result, pendingResult, resultReason, closesAt, pool }) => ({
        id,
        title,
        state,
        result,
        pendingResult,
        resultReason,
        closesAt,
        trueCents: pool.trueCents,
        falseCents: pool.falseCents,
        callsCount: pool.trueCalls + pool.falseCalls,
      })),
    leaders: leaders.leaders.map(({ userId, ...leader }) => ({ username: names.get(userId), ...leader })),
    playersCount: leaders.totalCount,
  };
}
