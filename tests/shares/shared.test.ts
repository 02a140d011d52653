import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import type { ShareKind } from "#db/lists/shares.ts";
import { shares } from "#db/schema/shares.ts";
import { deactivateUser } from "#src/people/users/manage-user.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { createServer } from "#src/server.ts";
import { createShare } from "#src/shares/create-share.ts";
import { findShared } from "#src/shares/find-shared.ts";
import { sceneOf } from "#src/shares/scene.ts";
import { sharedAnswer } from "#src/shares/schemas.ts";
import { revokeShare } from "#src/shares/update-share.ts";
import { buildAdmin, buildCall, buildPlayer, only } from "#tests/support/build.ts";
import { signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { buildCalled, buildOver, buildWon } from "./shows.ts";

const deps = await testDeps();
const server = createServer(deps);
const stranger = await signedOutClient(server);
const PNG_SIGNATURE = "\u0089PNG";

type Wish = { viewer: { id: number }; kind: ShareKind; targetId: number; timeZone?: string };

async function tokenOf(wish: Wish): Promise<{ token: string; shareId: number }> {
  const { shareId } = await createShare(deps.pool.db, wish, new Date());
  const row = only(await deps.pool.db.select().from(shares).where(eq(shares.id, shareId)));
  return { token: row.token, shareId };
}

const sceneAt = async (token: string) => sceneOf(await findShared(deps, token, new Date()));
const readShared = async (token: string) =>
  v.parse(sharedAnswer, (await stranger.get(`/api/v1/shared/${token}`)).body).shared;

test("a shared call shows its stamp to everybody, and never its result", async () => {
  const { player, callId, event, session } = await buildCalled(deps);
  const { token } = await tokenOf({ viewer: player, kind: "call", targetId: callId });
  const before = await readShared(token);
  expect(before).toMatchObject({
    username: player.username,
    sessionName: "Friday derby",
    livePath: `/sessions/${session.slug}`,
    summary: null,
    call: { title: "Will it rain?", label: "True", side: "true", wagerCents: 100, outcome: null, net: null },
  });
  expect(before.title).toBe(`${player.username} says True: Will it rain?`);
  expect(before.description).toMatch(/^True, \$1\.00\. Placed \d\d:\d\d:\d\d\.\d, .+ UTC\. On the record\.$/);
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "false" });
  expect(await readShared(token)).toEqual(before);
});

test("a shared result shows the net, and a corrected one the new net", async () => {
  const { player, callId, event } = await buildWon(deps);
  const { token } = await tokenOf({ viewer: player, kind: "result", targetId: callId });
  expect(await readShared(token)).toMatchObject({
    title: `${player.username} called it: +$2.50`,
    description: `Will it rain? ${player.username} said True.`,
    call: { outcome: "won", netCents: 250 },
  });
  const correction = { eventId: event.id, actor: null, result: "false", reason: "It did not" } as const;
  await resolveAndPay(deps, correction);
  expect(await readShared(token)).toMatchObject({
    title: `Corrected: It went the other way for ${player.username}: -$1.00`,
    call: { outcome: "lost", netCents: -100, corrected: true },
  });
  expect(await sceneAt(token)).toMatchObject({
    end: "lost",
    amount: "-$1.00",
    note: "The result was corrected.",
  });
  const headers = { accept: "text/html" };
  const page = await server.handle(new Request(`http://localhost:3000/shared/${token}`, { headers }));
  expect(await page.text()).toContain("It went the other way (corrected)");
});

test("a shared result of somebody who was nearly alone tells so, in words and in its picture", async () => {
  const { player, callId, event } = await buildCalled(deps);
  for (const side of ["false", "false", "false", "true", "false", "false", "false"] as const) {
    const { id: userId } = await buildPlayer(deps);
    await buildCall(deps, { userId, eventId: event.id, side });
  }
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  const { token } = await tokenOf({ viewer: player, kind: "result", targetId: callId });
  const story = `Only ${player.username} and 1 of 8 saw it.`;
  expect(await readShared(token)).toMatchObject({
    description: `Will it rain? ${player.username} said True. ${story}`,
    call: { sameCount: 2, callsCount: 8, corrected: false },
  });
  expect(await sceneAt(token)).toMatchObject({ end: "won", amount: "+$3.00", note: story });
});

test("who was right without an opponent shares that, and not a refund", async () => {
  const { player, callId, event } = await buildCalled(deps);
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  const { token } = await tokenOf({ viewer: player, kind: "result", targetId: callId });
  const title = `${player.username} was right, and nobody took the other side`;
  expect(await readShared(token)).toMatchObject({ title, call: { refundReason: "no_loser" } });
  expect(await sceneAt(token)).toMatchObject({ end: "right", amount: "$1.00 back", note: "" });
});

test("a shared session shows rank, net, best call and curve", async () => {
  const { player, session } = await buildOver(deps);
  const { token } = await tokenOf({ viewer: player, kind: "session", targetId: session.id });
  expect(await readShared(token)).toMatchObject({
    title: `${player.username} was 1 of 2 in Friday derby`,
    description: "1 won, 0 lost, net +$2.50. Best call: Will it rain? True, +$2.50.",
    livePath: null,
    call: null,
    summary: { rank: 1, tied: false, playersCount: 2, netCents: 250, curve: [{ net: 2.5, netCents: 250 }] },
  });
});

test("a player who is excluded from the leaderboard has no rank in the shared session", async () => {
  const { player, session } = await buildOver(deps);
  const { token } = await tokenOf({ viewer: player, kind: "session", targetId: session.id });
  await excludePlayer(deps, {
    actor: await buildAdmin(deps),
    userId: player.id,
    sessionId: String(session.id),
    reason: "Two accounts",
  });
  expect(await readShared(token)).toMatchObject({
    title: `${player.username} played Friday derby`,
    summary: { rank: null },
  });
});

test("times are those of the zone in which the player shared", async () => {
  const { player, callId } = await buildCalled(deps);
  const wish = { viewer: player, kind: "call", targetId: callId } as const;
  const { token } = await tokenOf({ ...wish, timeZone: "Asia/Kolkata" });
  const { call, description } = await readShared(token);
  const inKolkata = new Date(Date.parse(call?.placedAt ?? "") + 5.5 * 3_600_000).toISOString();
  expect(description).toContain(`Placed ${inKolkata.slice("2026-11-22T".length, -"03Z".length)}, `);
  expect(description).toContain("GMT+5:30");
});

test("nothing of the player is in the answer but the username", async () => {
  const { player, callId } = await buildWon(deps);
  const { token } = await tokenOf({ viewer: player, kind: "result", targetId: callId });
  const text = JSON.stringify((await stranger.get(`/api/v1/shared/${token}`)).body);
  expect(text).toContain(player.username);
  expect(text).not.toContain(player.email ?? "@");
  expect(text).not.toMatch(/balance|userId|user_id|avatar/i);
});

describe("a link leads to nothing, and the answer does not say why,", () => {
  const expectGone = async (token: string) => {
    for (const path of [`/api/v1/shared/${token}`, `/api/v1/shared/${token}/picture.png`]) {
      const { status, body } = await stranger.get(path);
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: "not found", code: "not_found" });
    }
  };

  test("if it is unknown", async () => {
    await expectGone("AAAAAAAAAAAAAAAAAAAAAA");
    await expectGone("short");
    await expectGone("%00%27%3B--aaaaaaaaaaaaaaa");
  });

  test("once it is revoked", async () => {
    const { player, callId } = await buildCalled(deps);
    const { token, shareId } = await tokenOf({ viewer: player, kind: "call", targetId: callId });
    await revokeShare(deps.pool.db, { viewer: player, shareId });
    await expectGone(token);
  });

  test("once it has expired", async () => {
    const { player, callId } = await buildCalled(deps);
    const { token, shareId } = await tokenOf({ viewer: player, kind: "call", targetId: callId });
    await deps.pool.db
      .update(shares)
      .set({ expiresAt: new Date(0) })
      .where(eq(shares.id, shareId));
    await expectGone(token);
  });

  test("once its player has cancelled the call", async () => {
    const { player, callId } = await buildCalled(deps);
    const { token } = await tokenOf({ viewer: player, kind: "call", targetId: callId });
    await cancelCall(deps, { viewer: player, callId });
    await expectGone(token);
  });

  test("once its player's account is closed", async () => {
    const { player, callId } = await buildWon(deps);
    const { token } = await tokenOf({ viewer: player, kind: "result", targetId: callId });
    await deactivateUser(deps, { userId: player.id, actor: await buildAdmin(deps), reason: null });
    await expectGone(token);
  });
});

describe("a picture", () => {
  const fetchPicture = (path: string, headers: Record<string, string> = {}) =>
    server.handle(new Request(`http://localhost:3000${path}`, { headers }));

  test("is a PNG of 1200 x 630 with a tag, and is not sent again to a cache that has it", async () => {
    const { player, callId } = await buildWon(deps);
    const { token } = await tokenOf({ viewer: player, kind: "result", targetId: callId });
    const path = `/api/v1/shared/${token}/picture.png`;
    const response = await fetchPicture(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("cache-control")).toBe("public, no-cache");
    expect(response.headers.getSetCookie()).toEqual([]);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString("latin1", 0, PNG_SIGNATURE.length)).toBe(PNG_SIGNATURE);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1_200, 630]);
    const tag = response.headers.get("etag") ?? "";
    expect((await fetchPicture(path, { "if-none-match": tag })).status).toBe(304);
  });

  test("of all other pages is there too, without anything of a player", async () => {
    const response = await fetchPicture("/api/v1/preview.png");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
  });
});
