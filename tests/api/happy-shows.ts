import { eq } from "drizzle-orm";
import { registrations } from "#db/schema/sessions.ts";
import type { EventState } from "#db/lists/events.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { excludePlayer } from "#src/leaderboard/exclude-player.ts";
import { activateSession } from "#src/sessions/activate-session.ts";
import { pauseSession } from "#src/sessions/pause-session.ts";
import { buildMessage } from "#tests/chat/stage.ts";
import {
  buildCall,
  buildDraft,
  buildEvent,
  buildRunningSession,
  buildSession,
  readSpots,
} from "#tests/support/build.ts";
import type { Happy, Prepare, Stage } from "./stage.ts";

const looking: Prepare = async (stage) => ({ browser: (await stage.player()).browser });
const browsing: Prepare = async ({ admin }) => ({ browser: admin.browser });

/** A session that is on, and an admin who acts on it. */
async function inRunning({ deps, admin }: Stage): Promise<Happy & { params: { id: string } }> {
  return { browser: admin.browser, params: { id: (await buildRunningSession(deps)).slug } };
}

/** An event in a session that is on, and an admin who acts on it. */
async function onEvent({ deps, admin }: Stage, state: EventState) {
  const { id: sessionId } = await buildRunningSession(deps);
  const { id } = await buildEvent(deps, state, { sessionId, durationSeconds: 600 });
  return { browser: admin.browser, params: { id } };
}

/** A player with a call on an open event. */
async function withCall(stage: Stage) {
  const { id: eventId } = await buildEvent(stage.deps, "open", { durationSeconds: 600 });
  const { id: userId, browser } = await stage.player();
  return { browser, userId, eventId, callId: await buildCall(stage.deps, { userId, eventId }) };
}

/** The same, won against somebody. */
async function withResult(stage: Stage) {
  const played = await withCall(stage);
  const { id: userId } = await stage.player();
  await buildCall(stage.deps, { userId, eventId: played.eventId, side: "false" });
  await resolveEvent(stage.deps, { eventId: played.eventId, actor: null, result: "true" });
  return played;
}

export const happySessions: Record<string, Prepare> = {
  listSessions: async (stage) => ({ ...(await looking(stage)), query: { state: "running", per_page: 2 } }),
  showSession: async (stage) => ({ ...(await inRunning(stage)), ...(await looking(stage)) }),
  listEvents: async (stage) => ({
    ...(await inRunning(stage)),
    ...(await looking(stage)),
    query: { page: 1 },
  }),
  showSessionEvent: async (stage) => {
    const { id, slug } = await buildRunningSession(stage.deps);
    const event = await buildEvent(stage.deps, "open", { sessionId: id });
    return { ...(await looking(stage)), params: { id: slug, eventId: event.id } };
  },
  registerPlayer: async (stage) => ({
    ...(await inRunning(stage)),
    ...(await looking(stage)),
    body: { registration: { display_name: "Ana" } },
  }),
  showRegistration: async (stage) => {
    const { slug } = await buildRunningSession(stage.deps);
    const { id, browser } = await stage.player();
    await browser.send("POST", `/api/v1/sessions/${slug}/registrations`, { registration: {} });
    const [row] = await stage.deps.pool.db.select().from(registrations).where(eq(registrations.userId, id));
    return { browser, params: { id: slug, registrationId: row?.id ?? 0 } };
  },
  createSession: async ({ admin }) => ({
    browser: admin.browser,
    body: {
      session: {
        name: "Friday derby",
        slug: "friday-derby",
        starts_at: "2026-11-27T20:00:00Z",
        settings: { lead_seconds: 5 },
      },
    },
  }),
  updateSession: async (stage) => ({ ...(await inRunning(stage)), body: { session: { name: "Derby" } } }),
  listAudit: (stage) => inRunning(stage),
  destroySession: async ({ deps, admin }) => ({
    browser: admin.browser,
    params: { id: (await buildSession(deps)).slug },
  }),
  activateSession: (stage) => inRunning(stage),
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
  pauseSession: (stage) => inRunning(stage),
  resumeSession: async ({ deps, admin }) => {
    const { id: sessionId, slug } = await buildRunningSession(deps);
    await pauseSession(deps, { sessionId, actor: null });
    return { browser: admin.browser, params: { id: slug } };
  },
  stopSession: (stage) => inRunning(stage),
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
  listAllEvents: async (stage) => ({ ...(await looking(stage)), query: { state: "open", per_page: 2 } }),
  showEvent: async (stage) => {
    const { browser, eventId } = await withCall(stage);
    return { browser, params: { id: eventId } };
  },
  previewResult: async (stage) => ({
    ...(await onEvent(stage, "closed")),
    query: { result: "true", effective_at: "2026-11-21T20:00:00Z" },
  }),
  showSettlement: async (stage) => {
    const { browser, eventId } = await withResult(stage);
    return { browser, params: { id: eventId } };
  },
  recomputeSettlement: async (stage) => {
    const { browser, eventId } = await withResult(stage);
    return { browser, params: { id: eventId } };
  },
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
  updateEvent: async (stage) => ({
    ...(await onEvent(stage, "draft")),
    body: { event: { title: "Will he score?", true_label: "Yes", false_label: "No" } },
  }),
  destroyEvent: (stage) => onEvent(stage, "draft"),
  advanceEvent: async (stage) => ({
    ...(await onEvent(stage, "draft")),
    body: { event: { reason: "The crowd is ready" } },
  }),
  skipEvent: async (stage) => ({ ...(await onEvent(stage, "open")), body: { event: { reason: "Rain" } } }),
  delayEvent: async (stage) => ({ ...(await onEvent(stage, "open")), body: { event: { seconds: 30 } } }),
  changeEventState: async (stage) => ({
    ...(await onEvent(stage, "closed")),
    body: { event: { state_event: "resolve", result: true } },
  }),
  listCalls: async (stage) => ({ browser: (await withCall(stage)).browser, query: { active: "true" } }),
  placeCall: async (stage) => {
    const { id: eventId } = await buildEvent(stage.deps, "open", { durationSeconds: 600 });
    const { id, browser } = await stage.player();
    const spots = await readSpots(stage.deps, eventId);
    return { browser, body: { call: { spot_id: spots.true.id, user_id: id, wager: 2.5 } } };
  },
  showReceipt: async (stage) => {
    const { browser, callId } = await withResult(stage);
    return { browser, params: { id: callId } };
  },
  listResults: async (stage) => {
    const { browser, userId } = await withResult(stage);
    return { browser, params: { id: userId } };
  },
  cancelCall: async (stage) => {
    const { browser, callId } = await withCall(stage);
    return { browser, params: { id: callId } };
  },
  listScores: looking,
  listLeaders: async (stage) => ({ browser: (await withResult(stage)).browser, query: { limit: 2 } }),
  recomputeScores: browsing,
  listExclusions: async (stage) => ({ ...(await browsing(stage)), query: { per_page: 2 } }),
  excludePlayer: async (stage) => ({
    browser: stage.admin.browser,
    body: { exclusion: { user_id: (await stage.player()).id, reason: "Works here" } },
  }),
  readmitPlayer: async ({ deps, admin, player }) => {
    const { id: userId } = await player();
    const { exclusion } = await excludePlayer(deps, {
      actor: admin,
      userId,
      reason: "Works here",
    });
    return { browser: admin.browser, params: { id: exclusion.id } };
  },
  showBooks: browsing,
  checkBooks: browsing,
};

export const happyChat: Record<string, Prepare> = {
  listMessages: async (stage) => ({
    browser: (await spoken(stage)).browser,
    query: { session_id: (await spoken(stage)).slug },
  }),
  createMessage: async (stage) => {
    const { slug } = await buildRunningSession(stage.deps);
    return { ...(await looking(stage)), body: { message: { session_id: slug, body: "Called it!" } } };
  },
  destroyMessage: async (stage) => ({
    browser: stage.admin.browser,
    params: { id: (await spoken(stage)).messageId },
  }),
  mutePlayer: async (stage) => {
    const { slug, userId } = await spoken(stage);
    const mute = { session_id: slug, user_id: userId, minutes: 10, reason: "Too loud" };
    return { browser: stage.admin.browser, body: { mute } };
  },
};

/** A player who has said something in a session. */
async function spoken({ deps, player }: Stage) {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const { id: userId, browser } = await player();
  return { slug, userId, browser, messageId: await buildMessage(deps, { sessionId, userId }) };
}
