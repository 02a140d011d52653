import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { formatClockMs } from "#client/base/format/time-format.ts";
import type { ShareKind } from "#db/lists/shares.ts";
import { shares } from "#db/schema/shares.ts";
import { deactivateUser } from "#src/people/users/manage-user.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { LIVE_SHARES_MAX } from "#src/shares/contract.ts";
import { createShare } from "#src/shares/create-share.ts";
import { findShared } from "#src/shares/find-shared.ts";
import { sceneOf } from "#src/shares/lay-out-scene.ts";
import { shareAnswer, sharedAnswer } from "#src/shares/schemas.ts";
import { revokeShare } from "#src/shares/update-share.ts";
import type { TestClient } from "#tests/support/client.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { buildCalled, buildOver, buildWon, readShares } from "./shows.ts";

const { deps, server, client, read, set, timer, build } = await testWorld();
const stranger = await client();
const PNG_SIGNATURE = "\u0089PNG";

type Wish = { viewer: { id: number }; kind: ShareKind; targetId: number; timeZone?: string };

async function tokenOf(wish: Wish): Promise<{ token: string; shareId: number }> {
  const { shareId } = await createShare(deps.pool.db, wish, new Date());
  const row = await read.row(shares, shareId);
  return { token: row.token, shareId };
}

const textsAt = async (token: string) => JSON.stringify(sceneOf(await findShared(deps, token, new Date())));
const readShared = async (token: string) =>
  (await stranger.read(`/api/v1/shared/${token}`, sharedAnswer)).shared;

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
  expect(before.description).toMatch(
    /^True, \$1\.00\. Placed \d+:\d\d:\d\d\.\d [AP]M, .+ UTC\. On the record\.$/,
  );
  await timer.settle(event.id, "false");
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
  for (const text of ["It went the other way", "-$1.00", "The result was corrected."])
    expect(await textsAt(token)).toContain(`"${text}"`);
  const headers = { accept: "text/html" };
  const page = await server.handle(new Request(`http://localhost:3000/shared/${token}`, { headers }));
  expect(await page.text()).toContain("It went the other way (corrected)");
});

test("a shared result of somebody who was nearly alone tells so, in words and in its picture", async () => {
  const { player, callId, event } = await buildCalled(deps);
  for (const side of ["false", "false", "false", "true", "false", "false", "false"] as const) {
    const { id: userId } = await build.player();
    await build.call({ userId, eventId: event.id, side });
  }
  await timer.settle(event.id);
  const { token } = await tokenOf({ viewer: player, kind: "result", targetId: callId });
  const story = `Only ${player.username} and 1 of 8 saw it.`;
  expect(await readShared(token)).toMatchObject({
    description: `Will it rain? ${player.username} said True. ${story}`,
    call: { sameCount: 2, callsCount: 8, corrected: false },
  });
  for (const text of ["Called it", "+$3.00", story]) expect(await textsAt(token)).toContain(`"${text}"`);
});

test("who was right without an opponent shares that, and not a refund", async () => {
  const { player, callId, event } = await buildCalled(deps);
  await timer.settle(event.id);
  const { token } = await tokenOf({ viewer: player, kind: "result", targetId: callId });
  const title = `${player.username} was right, and nobody took the other side`;
  expect(await readShared(token)).toMatchObject({ title, call: { refundReason: "no_loser" } });
  for (const text of ["Right. Nobody took the other side", "$1.00 back"])
    expect(await textsAt(token)).toContain(`"${text}"`);
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
    actor: await build.admin(),
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
  // The same clock as on all pages.
  expect(description).toContain(`Placed ${formatClockMs(call?.placedAt ?? "", "Asia/Kolkata", 1)}, `);
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

const expectGone = async (token: string) => {
  for (const path of [`/api/v1/shared/${token}`, `/api/v1/shared/${token}/picture.png`]) {
    const { status, body } = await stranger.get(path);
    expect([status, body]).toMatchObject([404, { error: "not found", code: "not_found" }]);
  }
};

test("an unknown link leads to nothing", async () => {
  for (const token of ["AAAAAAAAAAAAAAAAAAAAAA", "short", "%00%27%3B--aaaaaaaaaaaaaaa"])
    await expectGone(token);
});

type Linked = Awaited<ReturnType<typeof buildCalled>> & { shareId: number };
const isLink = ({ shareId }: Linked) => eq(shares.id, shareId);
test.each<[string, (linked: Linked) => PromiseLike<unknown>]>([
  ["that is revoked", ({ player, shareId }) => revokeShare(deps.pool.db, { viewer: player, shareId })],
  ["that has expired", (linked) => set(shares, isLink(linked), { expiresAt: new Date(0) })],
  [
    "to a call that its player has cancelled",
    ({ player, callId }) => cancelCall(deps, { viewer: player, callId }),
  ],
  [
    "of a player whose account is closed",
    async ({ player }) =>
      deactivateUser(deps, { userId: player.id, actor: await build.admin(), reason: null }),
  ],
])("a link %s leads to nothing, and the answer does not say why", async (_what, end) => {
  const called = await buildCalled(deps);
  const { token, shareId } = await tokenOf({ viewer: called.player, kind: "call", targetId: called.callId });
  await end({ ...called, shareId });
  await expectGone(token);
});

const fetchPicture = (path: string, headers: Record<string, string> = {}) =>
  server.handle(new Request(`http://localhost:3000${path}`, { headers }));

test("a picture is a PNG of 1200 x 630 with a tag, and is not sent again to a cache that has it", async () => {
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

const share = (browser: TestClient, fields: Record<string, unknown>) =>
  browser.send("POST", "/api/v1/shares", { share: fields });

test("sharing a call makes a link with a page and a picture, and sharing it again gives the same link", async () => {
  const { player, callId } = await buildCalled(deps);
  const browser = await client(player);
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

test("what had a link that has expired or was revoked gets another one", async () => {
  const { player, callId } = await buildCalled(deps);
  const wish = { viewer: player, kind: "call", targetId: callId } as const;
  const first = await createShare(deps.pool.db, wish, new Date());
  await set(shares, first.shareId, { expiresAt: new Date(0) });
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

test("another player's call and records, an unknown call and an unknown session are not shared", async () => {
  const { callId, player } = await buildWon(deps);
  const other = await client(await build.player());
  for (const wish of [
    { kind: "records", target_id: player.id },
    { kind: "call", target_id: callId },
    { kind: "result", target_id: callId },
    { kind: "call", target_id: 999_999 },
    { kind: "session", target_id: 999_999 },
  ])
    expect((await refused(other, wish)).status).toBe(404);
});

test("what cannot be shown is not shared, and the answer says why", async () => {
  const { player, callId } = await buildCalled(deps);
  const browser = await client(player);
  const whyNot = async (kind: string, id: number, by = browser) => refused(by, { kind, target_id: id });
  expect(await whyNot("result", callId)).toMatchObject({ status: 422, body: { code: "no_result" } });
  await cancelCall(deps, { viewer: player, callId });
  expect(await whyNot("call", callId)).toMatchObject({ status: 422, body: { code: "cancelled" } });
  const running = await buildWon(deps);
  const winner = await client(running.player);
  const early = await whyNot("session", running.session.id, winner);
  expect(early).toMatchObject({ status: 422, body: { code: "not_over" } });
  const over = await buildOver(deps);
  expect(await whyNot("session", over.session.id)).toMatchObject({ status: 422, body: { code: "no_calls" } });
});

test("a browser that does not know its time zone shares in UTC", async () => {
  const { player, callId } = await buildCalled(deps);
  const browser = await client(player);
  const share = { kind: "call", target_id: callId, time_zone: "Etc/Unknown" };
  expect((await browser.send("POST", "/api/v1/shares", { share })).status).toBe(201);
  expect((await readShares(deps, player.id)).map(({ timeZone }) => timeZone)).toEqual(["UTC"]);
});

test("a player has 100 live links at most; those that have expired do not count", async () => {
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
  await set(shares, eq(shares.token, `one-of-many-${player.id}-0`), {
    expiresAt: sql`clock_timestamp()`,
  });
  expect((await createShare(deps.pool.db, wish, new Date())).repeated).toBe(false);
});
