import { expect, test } from "bun:test";
import { changeRoles } from "#src/people/users/manage-user.ts";
import { createServer } from "#src/server.ts";
import { HOST_LIFETIME_MS } from "#src/show/hosting/contract.ts";
import { readHosts, writeHost } from "#src/show/hosting/report-host.ts";
import type { HostView } from "#src/show/hosting/schemas.ts";
import { buildSignedIn, startCableServer } from "#tests/live/cable/cable-server.ts";
import { Client, sessionChannel } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { signedInClient, type TestClient } from "#tests/support/client.ts";
import { redisAway } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build, client } = await testWorld();
const cable = startCableServer(deps);
afterFile(() => cable.stop());
const [ana, ben] = [await build.admin(), await build.admin()];
const asAna = await client(ana);
const asBen = await client(ben);
const first = crypto.randomUUID();
const armed = { eventId: 7, act: "true" };

const pathOf = (slug: string, tab = "") => `/api/v1/sessions/${slug}/hosts${tab && `/${tab}`}`;
const report = (host: TestClient, slug: string, tab: string, arming: object | null = null) =>
  host.send("PUT", pathOf(slug, tab), { host: { arming } });
const listed = async (host: TestClient, slug: string) => (await host.get(pathOf(slug))).body;
const view = (user: { id: number; username: string }, tab: string, arming: object | null = null) => ({
  tab,
  userId: user.id,
  username: user.username,
  arming,
});

async function connect(who: Parameters<typeof buildSignedIn>[1], slug: string) {
  const signedIn = await buildSignedIn(deps, who);
  const page = await new Client(cable.url, { origin: cable.origin, cookie: signedIn.cookie }).welcomed();
  await page.follow(sessionChannel(slug));
  /** The lists of hosts that it has received, without their times. */
  const lists = () =>
    page
      .messages(sessionChannel(slug))
      .flatMap(({ sourceType, detail }) =>
        sourceType === "Host" && typeof detail === "object" && detail !== null && "hosts" in detail
          ? [detail.hosts]
          : [],
      );
  return { lists, close: () => page.close() };
}

test("players, operators and former admins receive nothing of it", async () => {
  const { slug } = await build.runningSession();
  const formerAdmin = await build.admin();
  await changeRoles(deps, { userId: formerAdmin.id, roles: ["operator"], actor: ana, reason: null });
  const asFormer = await client(formerAdmin);
  const others = [await connect(await build.player(), slug), await connect(formerAdmin, slug)];
  const benHears = await connect(ben, slug);
  await report(asAna, slug, first, armed);
  await waitFor("the message", () => benHears.lists().length === 1);
  for (const other of others) {
    expect(other.lists()).toEqual([]);
    other.close();
  }
  benHears.close();
  const player = await client(await build.player());
  for (const visitor of [player, asFormer]) {
    expect((await visitor.get(pathOf(slug))).status).toBe(403);
    expect((await report(visitor, slug, crypto.randomUUID(), armed)).status).toBe(403);
  }
  expect(await listed(asBen, slug)).toMatchObject({ hosts: [view(ana, first, armed)] });
});

test("nothing of it is stored for longer than some seconds, and nothing in the history of a stream", async () => {
  const session = await build.runningSession();
  await report(asAna, session.slug, first, armed);
  const key = `hosts:session:${session.id}`;
  expect(await deps.redis.pttl(key)).toBeLessThanOrEqual(HOST_LIFETIME_MS);
  expect(await deps.redis.pttl(key)).toBeGreaterThan(0);
  expect(await deps.redis.exists(`cable:session:${session.id}:hosts`)).toBe(0);
  // A page that has not reported for so long has an expiry in the past.
  const [page = ""] = await deps.redis.hkeys(key);
  const stored = (await deps.redis.hget(key, page)) ?? "";
  await deps.redis.hset(key, page, stored.replace(/^\d+/, "1"));
  expect(await listed(asBen, session.slug)).toMatchObject({ hosts: [] });
});

test("an admin cannot report for the page of another one", async () => {
  const { slug } = await build.runningSession();
  await report(asAna, slug, first, armed);
  await report(asBen, slug, first);
  await asBen.send("DELETE", pathOf(slug, first));
  expect(await listed(asBen, slug)).toMatchObject({ hosts: [view(ana, first, armed)] });
});

test("a report is refused for an unknown session, an unknown act and a tab that is no UUID; nothing is stored", async () => {
  const { slug } = await build.runningSession();
  expect((await report(asAna, "no-such-session", first)).status).toBe(404);
  const unknown = await report(asAna, slug, first, { eventId: 7, act: "bet" });
  expect(unknown).toMatchObject({ status: 422, body: { errors: { "arming.act": ["is invalid"] } } });
  for (const tab of ["short", "x".repeat(36), "with%20space"]) {
    expect((await report(asAna, slug, tab)).status).toBe(404);
    expect((await asAna.send("DELETE", pathOf(slug, tab))).status).toBe(404);
  }
  expect(await listed(asAna, slug)).toMatchObject({ hosts: [] });
});

test("while Redis is away the list is empty, and no request fails", async () => {
  const { slug } = await build.runningSession();
  const without = { ...deps, redis: await redisAway() };
  const host = await signedInClient(deps, createServer(without), ana);
  expect(await report(host, slug, first)).toMatchObject({ status: 200, body: { hosts: [] } });
  expect(await host.get(pathOf(slug))).toMatchObject({ status: 200, body: { hosts: [] } });
  expect((await host.send("DELETE", pathOf(slug, first))).status).toBe(204);
});

test("a host whose page is of a newer release is listed, without what only that release knows", async () => {
  const { id } = await build.runningSession();
  const newer: HostView = JSON.parse(
    JSON.stringify({ ...view(ana, first, { eventId: 7, act: "of_a_newer_release" }), mood: "calm" }),
  );
  await writeHost(deps.redis, id, newer);
  const { hosts } = await readHosts(deps.redis, id);
  expect(hosts.map(({ userId, arming }) => ({ userId, arming }))).toEqual([{ userId: ana.id, arming: null }]);
});
