import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { shares } from "#db/schema/shares.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { createServer } from "#src/server.ts";
import { LIVE_SHARES_MAX } from "#src/shares/contract.ts";
import { createShare } from "#src/shares/create-share.ts";
import { shareAnswer } from "#src/shares/schemas.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signedInClient, signedOutClient, type TestClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { buildCalled, buildOver, buildWon, readShares } from "./shows.ts";

const deps = await testDeps();
const server = createServer(deps);

const share = (browser: TestClient, fields: Record<string, unknown>) =>
  browser.send("POST", "/api/v1/shares", { share: fields });

test("sharing a call makes a link with a page and a picture, and sharing it again gives the same link", async () => {
  const { player, callId } = await buildCalled(deps);
  const browser = await signedInClient(deps, server, player);
  const { status, body } = await share(browser, { kind: "call", target_id: callId });
  expect(status).toBe(201);
  const made = v.parse(shareAnswer, body).share;
  expect(made).toMatchObject({ kind: "call", targetId: callId, title: "Will it rain?", expiresAt: null });
  const [row] = await readShares(deps, player.id);
  expect(row?.token).toMatch(/^[\w-]{22}$/);
  expect(made.url).toBe(`${deps.env.publicUrl}/shared/${row?.token}`);
  expect(made.imageUrl).toBe(`${deps.env.publicUrl}/api/v1/shared/${row?.token}/picture.png`);

  const again = await share(browser, { kind: "call", target_id: callId });
  expect(again.status).toBe(200);
  expect(v.parse(shareAnswer, again.body).share).toEqual(made);
});

test("two taps at once make one link", async () => {
  const { player, callId } = await buildCalled(deps);
  const wish = { viewer: player, kind: "call", targetId: callId } as const;
  const made = await Promise.all([1, 2, 3].map(() => createShare(deps.pool.db, wish, new Date())));
  expect(new Set(made.map(({ shareId }) => shareId)).size).toBe(1);
  expect(made.filter(({ repeated }) => !repeated)).toHaveLength(1);
});

test("a call and its result have links of their own, and so has a session that is over", async () => {
  const { player, callId, session } = await buildOver(deps);
  for (const [kind, targetId] of [
    ["call", callId],
    ["result", callId],
    ["session", session.id],
  ] as const) {
    await createShare(deps.pool.db, { viewer: player, kind, targetId }, new Date());
  }
  const rows = await readShares(deps, player.id);
  expect(rows.map(({ kind }) => kind)).toEqual(["call", "result", "session"]);
  expect(new Set(rows.map(({ token }) => token)).size).toBe(3);
});

test("what had a link that has expired or was revoked gets another one", async () => {
  const { player, callId } = await buildCalled(deps);
  const wish = { viewer: player, kind: "call", targetId: callId } as const;
  const first = await createShare(deps.pool.db, wish, new Date());
  await deps.pool.db
    .update(shares)
    .set({ expiresAt: new Date(0) })
    .where(eq(shares.id, first.shareId));
  const second = await createShare(deps.pool.db, wish, new Date());
  await deps.pool.db.update(shares).set({ revokedAt: new Date() }).where(eq(shares.id, second.shareId));
  const third = await createShare(deps.pool.db, wish, new Date());
  expect([first, second, third].map(({ repeated }) => repeated)).toEqual([false, false, false]);
  expect(new Set((await readShares(deps, player.id)).map(({ token }) => token)).size).toBe(3);
});

/** Expects that a wish makes no link, and returns its answer. */
const refused = async (
  browser: TestClient,
  fields: Record<string, unknown>,
): Promise<{ status: number; body: unknown }> => {
  const before = await deps.pool.db.$count(shares);
  const { status, body } = await share(browser, fields);
  expect(await deps.pool.db.$count(shares)).toBe(before);
  return { status, body };
};

describe("nothing is shared, and the answer says why:", () => {
  test("another player's call, an unknown call and an unknown session", async () => {
    const { callId } = await buildWon(deps);
    const other = await signedInClient(deps, server, await buildPlayer(deps));
    for (const wish of [
      { kind: "call", target_id: callId },
      { kind: "result", target_id: callId },
      { kind: "call", target_id: 999_999 },
      { kind: "session", target_id: 999_999 },
    ]) {
      expect((await refused(other, wish)).status).toBe(404);
    }
  });

  test("a result that is not there yet", async () => {
    const { player, callId } = await buildCalled(deps);
    const browser = await signedInClient(deps, server, player);
    const { status, body } = await refused(browser, { kind: "result", target_id: callId });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "no_result" });
  });

  test("a call that was cancelled", async () => {
    const { player, callId } = await buildCalled(deps);
    await cancelCall(deps, { viewer: player, callId });
    const browser = await signedInClient(deps, server, player);
    expect((await refused(browser, { kind: "call", target_id: callId })).body).toMatchObject({
      code: "cancelled",
    });
  });

  test("a session that still runs, and one without an own result", async () => {
    const running = await buildWon(deps);
    const browser = await signedInClient(deps, server, running.player);
    const early = await refused(browser, { kind: "session", target_id: running.session.id });
    expect(early.body).toMatchObject({ code: "not_over" });
    const over = await buildOver(deps);
    const looker = await signedInClient(deps, server, await buildPlayer(deps));
    const empty = await refused(looker, { kind: "session", target_id: over.session.id });
    expect(empty.body).toMatchObject({ code: "no_calls" });
  });
});

test("a browser that does not know its time zone shares in UTC", async () => {
  const { player, callId } = await buildCalled(deps);
  const browser = await signedInClient(deps, server, player);
  const share = { kind: "call", target_id: callId, time_zone: "Etc/Unknown" };
  expect((await browser.send("POST", "/api/v1/shares", { share })).status).toBe(201);
  expect((await readShares(deps, player.id)).map(({ timeZone }) => timeZone)).toEqual(["UTC"]);
});

describe("nothing is shared either:", () => {
  test("more than 100 live links; those that have expired do not count", async () => {
    const { player, callId } = await buildWon(deps);
    const rows = Array.from({ length: LIVE_SHARES_MAX }, (_, index) => ({
      userId: player.id,
      kind: "call" as const,
      callId,
      token: `one-of-many-${player.id}-${index}`,
      timeZone: "UTC",
    }));
    await deps.pool.db.insert(shares).values(rows);
    const wish = { viewer: player, kind: "result", targetId: callId } as const;
    const before = await readShares(deps, player.id);
    const refusal = await refusalOf(createShare(deps.pool.db, wish, new Date()));
    expect(refusal).toMatchObject({ status: 422, code: "too_many_shares" });
    expect(await readShares(deps, player.id)).toEqual(before);
    await deps.pool.db
      .update(shares)
      .set({ expiresAt: sql`clock_timestamp()` })
      .where(eq(shares.token, `one-of-many-${player.id}-0`));
    expect((await createShare(deps.pool.db, wish, new Date())).repeated).toBe(false);
  });

  test("an unknown kind, lifetime or time zone, and a signed-out client", async () => {
    const { player, callId } = await buildCalled(deps);
    const browser = await signedInClient(deps, server, player);
    const wish = { kind: "call", target_id: callId };
    for (const wrong of [{ kind: "wallet" }, { expires_in_days: 3 }, { time_zone: "Mars/Base" }]) {
      expect((await refused(browser, { ...wish, ...wrong })).status).toBe(422);
    }
    expect((await refused(await signedOutClient(server), wish)).status).toBe(401);
  });
});
