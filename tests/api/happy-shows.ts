import { eq } from "drizzle-orm";
import type { EventState } from "#db/lists/events.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { activateSession } from "#src/show/sessions/activate-session.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildToken } from "#tests/people/access-tokens/build-token.ts";
import {
  buildCall,
  buildDraft,
  buildEvent,
  buildRunningSession,
  buildSession,
  readSpots,
} from "#tests/support/build.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { setRows } from "#tests/support/rows.ts";
import { byAdmin, byPlayer, type Happy, type Prepare, type Fixture } from "./fixture.ts";
import { nextFriday } from "./next-friday.ts";

async function inRunning({ deps, admin }: Fixture): Promise<Happy & { params: { id: string } }> {
  return { browser: admin.browser, params: { id: (await buildRunningSession(deps)).slug } };
}

/** The same with a dock. */
async function withDock({ deps, admin }: Fixture) {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const { id: dockId } = await buildToken(deps, { userId: admin.id, scope: "dock", sessionId });
  return { browser: admin.browser, params: { id: slug, dockId } };
}

/** A session that starts tomorrow. */
async function inPlanned({ deps }: Fixture): Promise<{ id: string }> {
  const { id, slug } = await buildSession(deps);
  await setRows(deps.pool.db, sessions, id, { startsAt: new Date(Date.now() + 86_400_000) });
  return { id: slug };
}

async function onEvent({ deps, admin }: Fixture, state: EventState) {
  const { id: sessionId } = await buildRunningSession(deps);
  const { id } = await buildEvent(deps, state, { sessionId, durationSeconds: 600 });
  return { browser: admin.browser, params: { id } };
}

async function withCall(fixture: Fixture) {
  const { id: eventId } = await buildEvent(fixture.deps, "open", { durationSeconds: 600 });
  const { id: userId, browser } = await fixture.player();
  return { browser, userId, eventId, callId: await buildCall(fixture.deps, { userId, eventId }) };
}

/** A player with a call that has won. */
async function withResult(fixture: Fixture) {
  const played = await withCall(fixture);
  const { id: userId } = await fixture.player();
  await buildCall(fixture.deps, { userId, eventId: played.eventId, side: "false" });
  await resolveAndPay(fixture.deps, { eventId: played.eventId, actor: null, result: "true" });
  return played;
}

/** A request of the player about one of the things that were made. */
const about =
  (prepare: typeof withCall, thing: "userId" | "eventId" | "callId"): Prepare =>
  async (fixture) => {
    const made = await prepare(fixture);
    return { browser: made.browser, params: { id: made[thing] } };
  };

export const happySessions: Record<string, Prepare> = {
  listSessions: async (fixture) => ({
    ...(await byPlayer(fixture)),
    query: { state: "running", per_page: 2 },
  }),
  showSession: async (fixture) => ({ ...(await inRunning(fixture)), ...(await byPlayer(fixture)) }),
  listEvents: async (fixture) => ({
    ...(await inRunning(fixture)),
    ...(await byPlayer(fixture)),
    query: { page: 1 },
  }),
  showReminder: async (fixture) => ({ ...(await byPlayer(fixture)), params: await inPlanned(fixture) }),
  setReminder: async (fixture) => ({ ...(await byPlayer(fixture)), params: await inPlanned(fixture) }),
  removeReminder: async (fixture) => ({ ...(await byPlayer(fixture)), params: await inPlanned(fixture) }),
  downloadCalendar: async (fixture) => ({ browser: fixture.signedOut, params: await inPlanned(fixture) }),
  showStage: async (fixture) => ({ ...(await inRunning(fixture)), ...(await byPlayer(fixture)) }),
  showLeaders: async (fixture) => ({ ...(await inRunning(fixture)), body: { leaders: { shown: true } } }),
  showStageLink: async (fixture) => ({ ...(await inRunning(fixture)), ...(await byAdmin(fixture)) }),
  renewStageLink: async (fixture) => ({ ...(await inRunning(fixture)), ...(await byAdmin(fixture)) }),
  listDocks: async (fixture) => {
    const { browser, params } = await withDock(fixture);
    return { browser, params: { id: params.id } };
  },
  makeDock: inRunning,
  revokeDock: withDock,
  showDock: inRunning,
  showEmbed: async ({ deps, signedOut }) => {
    const { slug } = await buildRunningSession(deps);
    return { browser: signedOut, query: { url: `${deps.env.publicUrl}/sessions/${slug}` } };
  },
  showFrontDoor: async (fixture) => {
    await onEvent(fixture, "open");
    return { browser: fixture.signedOut };
  },
  showSessionEvent: async (fixture) => {
    const { id, slug } = await buildRunningSession(fixture.deps);
    const event = await buildEvent(fixture.deps, "open", { sessionId: id });
    return { ...(await byPlayer(fixture)), params: { id: slug, eventId: event.id } };
  },
  registerPlayer: async (fixture) => ({
    ...(await inRunning(fixture)),
    ...(await byPlayer(fixture)),
    body: { registration: { display_name: "Ana" } },
  }),
  showRegistration: async (fixture) => {
    const { slug } = await buildRunningSession(fixture.deps);
    const { id, browser } = await fixture.player();
    await browser.send("POST", `/api/v1/sessions/${slug}/registrations`, { registration: {} });
    const [row] = await fixture.deps.pool.db.select().from(registrations).where(eq(registrations.userId, id));
    return { browser, params: { id: slug, registrationId: row?.id ?? 0 } };
  },
  createSession: async ({ admin }) => ({
    browser: admin.browser,
    body: {
      session: {
        name: "Friday derby",
        slug: "friday-derby",
        starts_at: nextFriday(),
        settings: { lead_seconds: 5 },
      },
    },
  }),
  updateSession: async (fixture) => ({ ...(await inRunning(fixture)), body: { session: { name: "Derby" } } }),
  listAudit: (fixture) => inRunning(fixture),
  showHealth: async (fixture) => {
    const { deps, admin } = fixture;
    const { id: sessionId, slug } = await buildRunningSession(deps);
    const { id: eventId } = await buildEvent(deps, "open", { sessionId, durationSeconds: 600 });
    await buildCall(deps, { userId: (await fixture.player()).id, eventId });
    return { browser: admin.browser, params: { id: slug }, query: { event_id: eventId } };
  },
  findPlayers: async (fixture) => ({ ...(await inRunning(fixture)), query: { search: "player_" } }),
  destroySession: async ({ deps, admin }) => ({
    browser: admin.browser,
    params: { id: (await buildSession(deps)).slug },
  }),
  activateSession: (fixture) => inRunning(fixture),
  deactivateSession: async ({ deps, admin }) => {
    const { id: sessionId, slug } = await buildRunningSession(deps);
    await activateSession(deps, { sessionId, actor: null });
    return { browser: admin.browser, params: { id: slug } };
  },
  startSession: async ({ deps, admin }) => {
    const { id: sessionId, slug } = await buildSession(deps);
    await buildDraft(deps, { sessionId, startMode: "offset", offsetSeconds: 3_600 });
    return { browser: admin.browser, params: { id: slug } };
  },
  pauseSession: (fixture) => inRunning(fixture),
  resumeSession: async ({ deps, admin }) => {
    const { id: sessionId, slug } = await buildRunningSession(deps);
    await pauseSession(deps, { sessionId, actor: null });
    return { browser: admin.browser, params: { id: slug } };
  },
  stopSession: (fixture) => inRunning(fixture),
  takeBackStart: (fixture) => inRunning(fixture),
  takeBackStop: async ({ deps, admin }) => {
    const { id: sessionId, slug } = await buildRunningSession(deps);
    await stopSession(deps, { sessionId, actor: null });
    return { browser: admin.browser, params: { id: slug } };
  },
  reorderEvents: async ({ deps, admin }) => {
    const { id: sessionId, slug } = await buildSession(deps);
    const [first, second] = [
      await buildDraft(deps, { sessionId, position: 1 }),
      await buildDraft(deps, { sessionId, position: 2 }),
    ];
    const events = [
      { id: second.id, position: 1 },
      { id: first.id, position: 2 },
    ];
    return { browser: admin.browser, params: { id: slug }, body: { events } };
  },
};

export const happyEvents: Record<string, Prepare> = {
  listAllEvents: async (fixture) => ({ ...(await byPlayer(fixture)), query: { state: "open", per_page: 2 } }),
  showEvent: about(withCall, "eventId"),
  previewResult: async (fixture) => ({
    ...(await onEvent(fixture, "closed")),
    query: { result: "true", effective_at: "2026-11-21T20:00:00Z" },
  }),
  showSettlement: about(withResult, "eventId"),
  recomputeSettlement: about(withResult, "eventId"),
  createEvent: async ({ deps, admin }) => ({
    browser: admin.browser,
    body: {
      event: {
        session_id: (await buildRunningSession(deps)).id,
        title: "Will she score before the break?",
        duration_seconds: 60,
        min_wager: 0.5,
      },
    },
  }),
  updateEvent: async (fixture) => ({
    ...(await onEvent(fixture, "draft")),
    body: { event: { title: "Will he score?", true_label: "Yes", false_label: "No" } },
  }),
  destroyEvent: (fixture) => onEvent(fixture, "draft"),
  advanceEvent: async (fixture) => ({
    ...(await onEvent(fixture, "draft")),
    body: { event: { reason: "The crowd is ready" } },
  }),
  skipEvent: async (fixture) => ({
    ...(await onEvent(fixture, "open")),
    body: { event: { reason: "Rain" } },
  }),
  delayEvent: async (fixture) => ({ ...(await onEvent(fixture, "open")), body: { event: { seconds: 30 } } }),
  changeEventState: async (fixture) => ({
    ...(await onEvent(fixture, "closed")),
    body: { event: { state_event: "resolve", result: true } },
  }),
  listCalls: async (fixture) => ({ browser: (await withCall(fixture)).browser, query: { active: "true" } }),
  placeCall: async (fixture) => {
    const { id: eventId } = await buildEvent(fixture.deps, "open", { durationSeconds: 600 });
    const { id, browser } = await fixture.player();
    const spots = await readSpots(fixture.deps, eventId);
    return { browser, body: { call: { spot_id: spots.true.id, user_id: id, wager: 2.5 } } };
  },
  showReceipt: about(withResult, "callId"),
  listResults: about(withResult, "userId"),
  cancelCall: about(withCall, "callId"),
  listScores: byPlayer,
  listLeaders: async (fixture) => ({ browser: (await withResult(fixture)).browser, query: { limit: 2 } }),
  recomputeScores: byAdmin,
  listExclusions: async (fixture) => ({ ...(await byAdmin(fixture)), query: { per_page: 2 } }),
  excludePlayer: async (fixture) => ({
    browser: fixture.admin.browser,
    body: { exclusion: { user_id: (await fixture.player()).id, reason: "Works here" } },
  }),
  readmitPlayer: async ({ deps, admin, player }) => {
    const { id: userId } = await player();
    const { exclusion } = await excludePlayer(deps, { actor: admin, userId, reason: "Works here" });
    return { browser: admin.browser, params: { id: exclusion.id } };
  },
};
