import { beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { shares } from "#db/schema/shares.ts";
import { createShare } from "#src/shares/create-share.ts";
import { shareAnswer, sharesAnswer } from "#src/shares/schemas.ts";
import { pruneShares } from "#src/shares/update-share.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { oneOf, parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { afterGroup } from "#tests/support/after-file.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildCalled, buildOver, readShares } from "./shows.ts";

const { deps, server, client, runClock, build } = await testWorld();
const DAY_MS = 86_400_000;
/** Longer than a result stays on the card. */
const RESULT_IS_OLD_MS = 60_000;

const fieldOf = (html: string, name: string) =>
  oneOf(parsePage(html), `form[action="/shares"] input[name="${name}"]`).getAttribute("value") ?? "";

test("without JavaScript: a receipt shares the call, and the page with the link changes and revokes it", async () => {
  const { player, callId, session } = await buildCalled(deps);
  const reader = await readerFor(deps, server, player);
  const receipt = `/sessions/${session.slug}/history/${callId}`;
  const { html } = await reader.open(receipt);
  expect(html).toContain("Share this call");
  const wish = { kind: fieldOf(html, "kind"), target_id: fieldOf(html, "target_id"), time_zone: "UTC" };
  const made = await reader.sendForm("/shares", wish, { from: receipt });
  const [row] = await readShares(deps, player.id);
  expect([made.status, made.location]).toEqual([303, `/shares?made=${row?.id}`]);

  const list = parsePage((await reader.open(`/shares?made=${row?.id}`)).html);
  expect(textsOf(list, "h2")).toContain("Your link");
  expect(oneOf(list, ".panel .body input").getAttribute("value")).toBe(
    `${deps.env.publicUrl}/shared/${row?.token}`,
  );
  const id = String(row?.id);
  await reader.sendForm("/shares", { intent: "expire", id, expires_in_days: "7" });
  const expiresAt = (await readShares(deps, player.id))[0]?.expiresAt?.getTime() ?? 0;
  expect(Math.round((expiresAt - Date.now()) / DAY_MS)).toBe(7);
  await reader.sendForm("/shares", { intent: "revoke", id });
  expect((await readShares(deps, player.id))[0]?.revokedAt).toBeInstanceOf(Date);
  expect((await reader.open("/shares")).html).toContain("Nothing shared yet");
});

test("without JavaScript: a wish that is refused says why, and makes nothing", async () => {
  const { player, callId } = await buildCalled(deps);
  const reader = await readerFor(deps, server, player);
  const wish = { kind: "result", target_id: String(callId), time_zone: "UTC" };
  const { status, html } = await reader.sendForm("/shares", wish);
  expect(status).toBe(422);
  expect(html).toContain("This call has no result yet. Share the call itself.");
  expect(await readShares(deps, player.id)).toEqual([]);
});

describe("the page of a session that is over", () => {
  beforeAll(() => runClock({ aheadMs: -RESULT_IS_OLD_MS }));
  afterGroup(() => runClock());

  const open = async (player: BuiltUser, slug: string) =>
    parsePage((await (await readerFor(deps, server, player)).open(`/sessions/${slug}`)).html);

  test("shows who played along without a call the leaders, and nothing to share", async () => {
    const { session } = await buildOver(deps);
    const page = await open(await build.player(), session.slug);
    expect(oneOf(page, ".session-end").textContent).toContain("You made no call this time.");
    expect(page.querySelector('form[action="/shares"]')).toBeNull();
    expect(textsOf(page, ".wager a")).toEqual(["All sessions"]);
  });

  test("says when the next one starts, or that none is planned", async () => {
    const { player, session } = await buildOver(deps);
    await deps.pool.db.update(sessions).set({ active: false });
    expect(oneOf(await open(player, session.slug), ".mine").textContent).toBe(
      "No next session is planned yet.",
    );
    const tomorrow = await build.session({ name: "Cup night" });
    const startsAt = new Date(Date.now() + DAY_MS);
    await deps.pool.db.update(sessions).set({ startsAt }).where(eq(sessions.id, tomorrow.id));
    const page = await open(player, session.slug);
    expect(oneOf(page, ".mine").textContent).toMatch(/^Next \d.*: Cup night/);
    expect(oneOf(page, ".mine time").getAttribute("datetime")).toBe(startsAt.toISOString());
  });

  test("says to a guest what an account keeps, and leads to it", async () => {
    const { player, session } = await buildOver(deps);
    await deps.pool.sql`UPDATE users SET guest = true WHERE id = ${player.id}`;
    const page = await open(player, session.slug);
    expect(textsOf(page, ".sides a")).toEqual([
      expect.stringMatching(/^Keep your \$[\d.]+ and rank =?\dCreate an account: one form, 20 seconds\.$/),
    ]);
    expect(fieldOf(page.documentElement.outerHTML, "kind")).toBe("session");
  });
});

const listOf = (browser: TestClient, query = "") => browser.read(`/api/v1/shares${query}`, sharesAnswer);

async function buildSharer() {
  const { player, callId, session } = await buildOver(deps);
  const wish = { viewer: player };
  const call = await createShare(deps.pool.db, { ...wish, kind: "call", targetId: callId }, new Date());
  await createShare(deps.pool.db, { ...wish, kind: "session", targetId: session.id }, new Date());
  return { player, shareId: call.shareId, browser: await client(player) };
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
  const other = await client(await build.player());
  const path = `/api/v1/shares/${shareId}`;
  const before = await readShares(deps, player.id);
  expect((await other.send("DELETE", path)).status).toBe(404);
  expect((await other.send("PATCH", path, { share: { expires_in_days: 7 } })).status).toBe(404);
  expect((await browser.send("PATCH", path, { share: { expires_in_days: 400 } })).status).toBe(422);
  expect(await readShares(deps, player.id)).toEqual(before);
});

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

test("links that ended 90 days ago are deleted, and all others stay", async () => {
  const { player, callId } = await buildCalled(deps);
  const link = (token: string, ends: { revokedAt?: Date; expiresAt?: Date }) => ({
    userId: player.id,
    kind: "call" as const,
    callId,
    token,
    timeZone: "UTC",
    createdAt: daysAgo(400),
    ...ends,
  });
  await deps.pool.db
    .insert(shares)
    .values([
      link("never-ends", {}),
      link("revoked-long-ago", { revokedAt: daysAgo(91) }),
      link("revoked-lately", { revokedAt: daysAgo(89) }),
      link("expired-long-ago", { expiresAt: daysAgo(91) }),
      link("expires-later", { expiresAt: daysAgo(-1) }),
    ]);
  await pruneShares(deps);
  const left = (await readShares(deps, player.id)).map(({ token }) => token);
  expect(left).toEqual(["never-ends", "revoked-lately", "expires-later"]);
});
