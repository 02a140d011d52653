import { expect, test } from "bun:test";
import * as v from "valibot";
import { createServer } from "#src/server.ts";
import { createShare } from "#src/shares/create-share.ts";
import { shareAnswer, sharesAnswer } from "#src/shares/schemas.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signedInClient, type TestClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildCalled, buildOver, readShares } from "./shows.ts";

const deps = await testDeps();
const server = createServer(deps);
const DAY_MS = 86_400_000;

const listOf = async (browser: TestClient, query = "") =>
  v.parse(sharesAnswer, (await browser.get(`/api/v1/shares${query}`)).body);

/** A player with links to a call and to a session. */
async function buildSharer() {
  const { player, callId, session } = await buildOver(deps);
  const wish = { viewer: player };
  const call = await createShare(deps.pool.db, { ...wish, kind: "call", targetId: callId }, new Date());
  await createShare(deps.pool.db, { ...wish, kind: "session", targetId: session.id }, new Date());
  return { player, shareId: call.shareId, browser: await signedInClient(deps, server, player) };
}

test("a player lists the own links, newest first, and nobody else's", async () => {
  const { browser } = await buildSharer();
  const other = await buildCalled(deps);
  await createShare(deps.pool.db, { viewer: other.player, kind: "call", targetId: other.callId }, new Date());
  const { shares, meta } = await listOf(browser);
  expect(shares.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
    "session: Friday derby",
    "call: Will it rain?",
  ]);
  expect(meta.totalCount).toBe(2);
  expect((await listOf(browser, "?page=2&per_page=1")).shares.map(({ kind }) => kind)).toEqual(["call"]);
});

test("a link can be made to expire, and to stay", async () => {
  const { browser, shareId } = await buildSharer();
  const path = `/api/v1/shares/${shareId}`;
  const expiring = await browser.send("PATCH", path, { share: { expires_in_days: 7 } });
  const { expiresAt, expired } = v.parse(shareAnswer, expiring.body).share;
  expect(Math.round((Date.parse(expiresAt ?? "") - Date.now()) / DAY_MS)).toBe(7);
  expect(expired).toBe(false);
  const staying = await browser.send("PATCH", path, { share: { expires_in_days: null } });
  expect(v.parse(shareAnswer, staying.body).share.expiresAt).toBeNull();
});

test("a revoked link leaves the list, and cannot be revoked or changed again", async () => {
  const { browser, player, shareId } = await buildSharer();
  const path = `/api/v1/shares/${shareId}`;
  expect((await browser.send("DELETE", path)).status).toBe(204);
  expect((await listOf(browser)).shares.map(({ kind }) => kind)).toEqual(["session"]);
  const after = await readShares(deps, player.id);
  expect((await browser.send("DELETE", path)).status).toBe(404);
  expect((await browser.send("PATCH", path, { share: { expires_in_days: 7 } })).status).toBe(404);
  expect(await readShares(deps, player.id)).toEqual(after);
});

test("nobody else changes or revokes a link, and changes need a known lifetime", async () => {
  const { browser, player, shareId } = await buildSharer();
  const other = await signedInClient(deps, server, await buildPlayer(deps));
  const path = `/api/v1/shares/${shareId}`;
  const before = await readShares(deps, player.id);
  expect((await other.send("DELETE", path)).status).toBe(404);
  expect((await other.send("PATCH", path, { share: { expires_in_days: 7 } })).status).toBe(404);
  expect((await browser.send("PATCH", path, { share: { expires_in_days: 400 } })).status).toBe(422);
  expect(await readShares(deps, player.id)).toEqual(before);
});
