import { registrations } from "#db/schema/sessions.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { buildRunningSession } from "#tests/support/build.ts";
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

/** The page of a host in a running session. */
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
  destroyMessage: async (fixture) => ({
    browser: fixture.admin.browser,
    params: { id: (await withMessage(fixture)).messageId },
  }),
  approveMessage: async (fixture) => ({
    browser: fixture.admin.browser,
    params: { id: (await withMessage(fixture)).messageId },
  }),
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

/** A player with a chat message in a running session. */
async function withMessage({ deps, player }: Fixture) {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const { id: userId, browser } = await player();
  return { slug, userId, browser, messageId: await buildMessage(deps, { sessionId, userId }) };
}
