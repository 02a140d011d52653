import type { ShareKind } from "#db/lists/shares.ts";
import { shares } from "#db/schema/shares.ts";
import { buildCall, buildEvent, buildSession, only } from "#tests/support/build.ts";
import type { Fixture, Prepare } from "./fixture.ts";

/** A player with a call on an open event, and the player's link to it. */
async function withShare(fixture: Fixture) {
  const { id: userId, browser } = await fixture.player();
  const { id: eventId } = await buildEvent(fixture.deps, "open", { durationSeconds: 600 });
  const callId = await buildCall(fixture.deps, { userId, eventId });
  const token = `link-of-the-player-${callId}`;
  const kind: ShareKind = "call";
  const share = only(
    await fixture.deps.pool.db
      .insert(shares)
      .values({ userId, kind, callId, token, timeZone: "Europe/Berlin" })
      .returning(),
  );
  return { browser, callId, token, shareId: share.id };
}

const publicly: Prepare = async (fixture) => ({
  browser: fixture.signedOut,
  params: { token: (await withShare(fixture)).token },
});

export const happyShares: Record<string, Prepare> = {
  listShares: withShare,
  createShare: async (fixture) => {
    const { id: userId, browser } = await fixture.player();
    const { id: eventId } = await buildEvent(fixture.deps, "open", { durationSeconds: 600 });
    const targetId = await buildCall(fixture.deps, { userId, eventId });
    return {
      browser,
      body: { share: { kind: "call", target_id: targetId, time_zone: "Europe/Berlin", expires_in_days: 7 } },
    };
  },
  updateShare: async (fixture) => {
    const { browser, shareId } = await withShare(fixture);
    return { browser, params: { id: shareId }, body: { share: { expires_in_days: 30 } } };
  },
  revokeShare: async (fixture) => {
    const { browser, shareId } = await withShare(fixture);
    return { browser, params: { id: shareId } };
  },
  showShared: publicly,
  showSharedPicture: publicly,
  showSessionPreview: async ({ deps, signedOut }) => ({
    browser: signedOut,
    params: { id: (await buildSession(deps)).slug },
  }),
  showPreview: async ({ signedOut }) => ({ browser: signedOut }),
};
