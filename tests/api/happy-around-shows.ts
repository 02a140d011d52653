import { eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations } from "#db/schema/sessions.ts";
import { signIns } from "#db/schema/users.ts";
import { showDecisions } from "#src/replays/show-decisions.ts";
import { findWaves, removeWave } from "#src/show/join-codes/remove-player.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { byAdmin, byPlayer, type Fixture, type Prepare } from "./fixture.ts";

export const happyHosting: Record<string, Prepare> = {
  listHosts: async (fixture) => ({
    ...(await byAdmin(fixture)),
    params: { id: (await buildRunningSession(fixture.deps)).slug },
  }),
  updateHost: async (fixture) => ({
    ...(await byAdmin(fixture)),
    params: await pageParams(fixture),
    body: { host: { arming: { event_id: 7, act: "true" } } },
  }),
  removeHost: async (fixture) => ({ ...(await byAdmin(fixture)), params: await pageParams(fixture) }),
};

async function pageParams({ deps }: Fixture) {
  const { slug } = await buildRunningSession(deps);
  return { id: slug, tab: "5f0c1f0e-3a55-4a0b-9d0f-1c1a5b7a2c11" };
}

export const happyChat: Record<string, Prepare> = {
  listMessages: async (fixture) => ({
    browser: (await withMessage(fixture)).browser,
    query: { session_id: (await withMessage(fixture)).slug },
  }),
  createMessage: async (fixture) => {
    const { slug } = await buildRunningSession(fixture.deps);
    return { ...(await byPlayer(fixture)), body: { message: { session_id: slug, body: "Called it!" } } };
  },
  destroyMessage: onMessage,
  approveMessage: onMessage,
  mutePlayer: async (fixture) => {
    const { slug, userId } = await withMessage(fixture);
    const mute = { session_id: slug, user_id: userId, minutes: 10, reason: "Too loud" };
    return { browser: fixture.admin.browser, body: { mute } };
  },
};

export const happyReactions: Record<string, Prepare> = {
  createReaction: async ({ deps, player }) => {
    const { id: sessionId, slug } = await buildRunningSession(deps);
    const { id: userId, browser } = await player();
    await deps.pool.db.insert(registrations).values({ sessionId, userId, displayName: "Player" });
    return { browser, params: { id: slug }, body: { reaction: { kind: "love" } } };
  },
};

async function onMessage(fixture: Fixture) {
  return { browser: fixture.admin.browser, params: { id: (await withMessage(fixture)).messageId } };
}

async function withMessage({ deps, player }: Fixture) {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const { id: userId, browser } = await player();
  return { slug, userId, browser, messageId: await buildMessage(deps, { sessionId, userId }) };
}

/** A private show, requested by an admin. */
async function inPrivate({ deps, admin }: Fixture) {
  const session = await buildRunningSession(deps, { name: "Friday derby", settings: { private: true } });
  return { session, browser: admin.browser, params: { id: session.slug } };
}

export const happyJoinCodes: Record<string, Prepare> = {
  showCodedSession: async (fixture) => ({
    browser: fixture.signedOut,
    params: { code: (await inPrivate(fixture)).session.joinCode },
  }),
  joinSession: async (fixture) => ({
    ...(await byPlayer(fixture)),
    body: { join: { code: (await inPrivate(fixture)).session.joinCode } },
  }),
  showJoinCode: inPrivate,
  renewJoinCode: inPrivate,
  removePlayer: async (fixture) => {
    const { browser, params } = await inPrivate(fixture);
    return { browser, params: { ...params, userId: (await buildPlayer(fixture.deps)).id } };
  },
  listWaves: async (fixture) => {
    const { browser, slug } = await inWave(fixture);
    return { browser, params: { id: slug } };
  },
  removeWave: async (fixture) => {
    const { browser, slug, network: wave, until } = await inWave(fixture);
    return { browser, params: { id: slug, wave }, query: { until } };
  },
  restoreWave: async (fixture) => {
    const { browser, slug, ...shown } = await inWave(fixture);
    const { id: wave } = await removeWave(fixture.deps, { actor: null, ...shown });
    return { browser, params: { id: slug, wave } };
  },
};

/** A session to which two players have come from one network. */
async function inWave(fixture: Fixture) {
  const { deps } = fixture;
  const { session, browser } = await inPrivate(fixture);
  for (const { id: userId } of [await fixture.player(), await fixture.player()]) {
    await deps.pool.db.update(signIns).set({ address: "203.0.113.8" }).where(eq(signIns.userId, userId));
    await deps.pool.db.insert(registrations).values({ sessionId: session.id, userId, displayName: "Ana" });
  }
  const { arrived, meta } = await findWaves(deps, session.slug, new Date());
  const wave = { network: arrived[0]?.id ?? "", until: meta.serverTime };
  return { browser, slug: session.slug, sessionId: session.id, ...wave };
}

/** A session with two teams, one of which has a player. */
async function inTeams({ deps }: Fixture) {
  const session = await buildRunningSession(deps, { settings: { teams: ["Foxes", "Owls"] } });
  const { id: userId } = await buildPlayer(deps);
  await deps.pool.db.insert(registrations).values({ sessionId: session.id, userId, displayName: "Ana" });
  return { session, userId };
}

export const happyTeams: Record<string, Prepare> = {
  showTeams: async (fixture) => ({
    ...(await byPlayer(fixture)),
    query: { session_id: (await inTeams(fixture)).session.slug },
  }),
  chooseTeam: async (fixture) => ({
    ...(await byPlayer(fixture)),
    params: { id: (await inTeams(fixture)).session.slug },
    body: { team: { number: 2 } },
  }),
  movePlayer: async (fixture) => {
    const { session, userId } = await inTeams(fixture);
    return {
      browser: fixture.admin.browser,
      params: { id: session.slug, userId },
      body: { team: { number: 2 } },
    };
  },
};

/** A show with a host, requested by an admin. */
async function inHosted({ deps, admin }: Fixture) {
  const session = await buildRunningSession(deps, { name: "Friday derby" });
  const user = await buildPlayer(deps);
  await deps.pool.db
    .insert(sessionHosts)
    .values({ sessionId: session.id, userId: user.id, madeById: admin.id });
  return { user, browser: admin.browser, params: { id: session.slug } };
}

export const happySessionHosts: Record<string, Prepare> = {
  listSessionHosts: inHosted,
  addSessionHost: async (fixture) => {
    const { browser, params } = await inHosted(fixture);
    const { username } = await buildPlayer(fixture.deps);
    return { browser, params, body: { session_host: { user: username } } };
  },
  removeSessionHost: async (fixture) => {
    const { user, browser, params } = await inHosted(fixture);
    return { browser, params: { ...params, userId: user.id } };
  },
};

export const happyReplays: Record<string, Prepare> = {
  showReplay: async (fixture) => ({
    ...(await withStopped(fixture)),
    query: { after: "2026-01-01T00:00:00.000Z" },
  }),
  exportReplay: async (fixture) => ({ ...(await withStopped(fixture)), query: { format: "csv" } }),
  listDecisions: withStopped,
  showResultsSheet: withStopped,
  downloadResultsWorkbook: withStopped,
  downloadResultsSheet: async (fixture) => ({
    ...(await withStopped(fixture)),
    query: { table: "questions" },
  }),
  recomputeDecision: async (fixture) => {
    const { browser, params } = await withStopped(fixture);
    const [decision] = await showDecisions(fixture.deps.pool.db, params.id);
    return { browser, params: { id: decision?.id ?? 0 } };
  },
};

/** The admin, and a stopped session with a result. */
async function withStopped({ deps, admin }: Fixture) {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const { id: eventId } = await buildEvent(deps, "open", { sessionId });
  const players = [await buildPlayer(deps), await buildPlayer(deps)];
  for (const [index, { id: userId }] of players.entries())
    await buildCall(deps, { userId, eventId, side: index === 0 ? "true" : "false" });
  await resolveAndPay(deps, { eventId, actor: null, result: "true" });
  await stopSession(deps, { sessionId, actor: null });
  return { browser: admin.browser, params: { id: slug } };
}
