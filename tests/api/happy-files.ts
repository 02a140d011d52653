import { eq } from "drizzle-orm";
import type { ShareKind } from "#db/lists/shares.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { shares } from "#db/schema/shares.ts";
import { attachPicture, storePicture } from "#src/people/pictures/store-picture.ts";
import { logoKind } from "#src/show/brands/show-logo.ts";
import { questionPictureKind } from "#src/show/events/question-picture.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { PNG_BYTES, announce, announcementOf, upload } from "#tests/people/storage/uploads.ts";
import {
  buildBlueprint,
  buildCall,
  buildEvent,
  buildRunningSession,
  buildSession,
  only,
} from "#tests/support/build.ts";
import type { Fixture, Prepare } from "./fixture.ts";

const BYTES = new Uint8Array(PNG_BYTES);

export const happyFiles: Record<string, Prepare> = {
  announceUpload: async (fixture) => ({
    browser: (await fixture.player()).browser,
    body: { blob: announcementOf(BYTES) },
  }),
  storeUpload: async (fixture) => {
    const { browser } = await fixture.player();
    const { url, headers } = (await announce(browser, announcementOf(BYTES))).directUpload;
    const token = new URL(url).pathname.split("/").at(-1) ?? "";
    return { browser: fixture.signedOut, params: { token }, bytes: { body: BYTES, headers } };
  },
  showFace: async ({ signedOut }) => ({ browser: signedOut, params: { face: "7" } }),
  showLogo: async ({ deps, signedOut }) => {
    const logo = await storePicture(deps, logoKind, { bytes: await picture("png") });
    await attachPicture(deps.pool.db, logo);
    return { browser: signedOut, params: { key: logo.key } };
  },
  showEventPicture: async (fixture) => {
    const { id: sessionId } = await buildRunningSession(fixture.deps);
    const { id } = await buildEvent(fixture.deps, "open", { sessionId, durationSeconds: 600 });
    return onPicture(fixture, events, id);
  },
  showBlueprintPicture: async (fixture) => {
    const { id: blueprintId } = await buildBlueprint(fixture.deps, [{}]);
    const row = only(
      await fixture.deps.pool.db
        .select()
        .from(blueprintEvents)
        .where(eq(blueprintEvents.blueprintId, blueprintId)),
    );
    return onPicture(fixture, blueprintEvents, row.id);
  },
  showBlob: async (fixture) => {
    const { browser } = await fixture.player();
    return {
      browser: fixture.signedOut,
      params: { signedId: (await upload(fixture.server, browser, BYTES)).signedId },
    };
  },
};

/** A question that has got a picture, requested by an admin. */
async function onPicture(
  { deps, admin }: Fixture,
  table: typeof events | typeof blueprintEvents,
  id: number,
) {
  const made = await storePicture(deps, questionPictureKind, { bytes: await picture("png") });
  await attachPicture(deps.pool.db, made);
  const { key, width, height } = made;
  const stored = { picture: { key, width, height, alt: "Two colours" } };
  await deps.pool.db.update(table).set(stored).where(eq(table.id, id));
  return { browser: admin.browser, params: { id, key } };
}

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
