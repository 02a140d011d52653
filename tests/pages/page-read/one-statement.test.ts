import { expect, test } from "bun:test";
import { eq, type SQL, sql } from "drizzle-orm";
import type { Command } from "ioredis";
import { sessions } from "#db/schema/sessions.ts";
import { signIns } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { destroySession } from "#src/show/sessions/create-session.ts";
import { logPlans, openPlanLog } from "#tests/growth/read-plans.ts";
import { asApplication } from "#tests/support/application.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { countStatements } from "#tests/support/count-statements.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { type Credentials, readPage } from "./read-page.ts";

const { deps, db, build, server } = await testWorld();

async function open(path: string, credentials: Credentials): Promise<{ status: number; html: string }> {
  const headers = { ...credentials, accept: "text/html" };
  const response = await server.handle(new Request(`http://localhost:3000${path}`, { headers }));
  return { status: response.status, html: await response.text() };
}

async function buildShow() {
  const session = await build.runningSession();
  const open = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  await build.event("resolved", { sessionId: session.id });
  return { path: `/sessions/${session.slug}`, session, open };
}

async function buildViewer(eventId: number, wagerCents: number) {
  const player = await build.player({ balanceCents: 100_000 + wagerCents });
  await build.call({ userId: player.id, eventId, wagerCents });
  return { player, wagerCents, credentials: await signInDirectly(deps, player) };
}

test("of pages that are read at the same moment each has its own viewer's data alone", async () => {
  const { path, session, open: event } = await buildShow();
  const viewers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => buildViewer(event.id, 101 + index)),
  );
  await Promise.all(viewers.map(({ credentials }) => readPage(deps, path, credentials)));
  for (let round = 0; round < 5; round += 1) {
    const pages = await Promise.all(viewers.map(({ credentials }) => readPage(deps, path, credentials)));
    for (const [index, page] of pages.entries()) {
      const { player, wagerCents } = viewers[index] ?? {};
      const calls = page.action?.events.flatMap(({ myCalls }) => myCalls) ?? [];
      expect(calls).toMatchObject([{ userId: player?.id, wagerCents, sessionId: session.id }]);
      expect(page.frame?.wallet).toMatchObject({
        balanceCents: 100_000 + (wagerCents ?? 0),
        heldCents: wagerCents,
      });
    }
  }
  const pages = await Promise.all(viewers.map(({ credentials }) => open(path, credentials)));
  for (const [index, { html }] of pages.entries()) {
    const names = viewers.filter(({ player }) => html.includes(`"${player.username}"`));
    expect(names.map(({ player }) => player.username)).toEqual([viewers[index]?.player.username ?? ""]);
  }
});

const VIEWERS = 20;

/** A list page, and a text that only the statement of its list contains. */
const lists = [
  { name: "wallet", statement: "held_after", path: () => "/profile/wallet" },
  { name: "history", statement: "page.id", path: (slug: string) => `/sessions/${slug}/history` },
] as const;

const endings: Record<string, (userId: number) => SQL> = {
  ended: (id) => sql`UPDATE sign_ins SET ended_at = clock_timestamp() WHERE user_id = ${id}`,
  expired: (id) => sql`UPDATE sign_ins SET expires_at = clock_timestamp() WHERE user_id = ${id}`,
  idle: (id) => sql`UPDATE sign_ins SET last_seen_at = to_timestamp(0) WHERE user_id = ${id}`,
  unconfirmed: (id) =>
    sql`UPDATE users SET confirmed_at = NULL, confirm_by = clock_timestamp() WHERE id = ${id}`,
  deactivated: (id) => sql`UPDATE users SET deactivated_at = clock_timestamp() WHERE id = ${id}`,
};

test.each(Object.entries(endings))(
  "a sign-in that was %s between two pages counts at once",
  async (_, end) => {
    const { path, session, open: event } = await buildShow();
    const { player, credentials } = await buildViewer(event.id, 100);
    expect((await open("/profile", credentials)).html).toContain(player.username);
    expect((await readPage(deps, path, credentials)).frame).not.toBeNull();
    await db.execute(end(player.id));
    for (const own of ["/profile", ...lists.map((list) => list.path(session.slug))])
      expect((await open(own, credentials)).status).toBe(302);
    const page = await readPage(deps, path, credentials);
    expect(page).toMatchObject({ frame: null, active: null, offsets: { user: null, session: null } });
    expect(page.session?.registered).toBe(false);
    expect(page.action?.events.flatMap(({ myCalls }) => myCalls)).toEqual([]);
    expect((await open(path, credentials)).html).not.toContain(player.username);
  },
);

test("a sign-in that was used again is recorded as seen", async () => {
  const player = await build.player();
  const credentials = await signInDirectly(deps, player);
  const before = new Date(Date.now() - 120_000);
  await db.update(signIns).set({ lastSeenAt: before }).where(eq(signIns.userId, player.id));
  await open("/profile", credentials);
  // No answer waits for that.
  await waitFor("the sign-in to be seen", async () => {
    const [signIn] = await db.select().from(signIns).where(eq(signIns.userId, player.id));
    return (signIn?.lastSeenAt.getTime() ?? 0) > before.getTime();
  });
});

test("signed-out viewers read live sessions only", async () => {
  const { path } = await buildShow();
  const planned = await build.session();
  expect((await readPage(deps, path, {})).action).toMatchObject({ active: null, leaders: { leaders: [] } });
  expect(await readPage(deps, `/sessions/${planned.slug}`, {})).toMatchObject({
    session: null,
    action: null,
  });
});

test("a slug that another session has now leads to that one", async () => {
  const first = await build.session();
  const credentials = await signInDirectly(deps, await build.player());
  const path = `/sessions/${first.slug}`;
  expect((await readPage(deps, path, credentials)).session?.id).toBe(first.id);
  await destroySession(deps, { sessionId: first.id, actor: null });
  expect((await readPage(deps, path, credentials)).session).toBeNull();
  const second = await build.session({ slug: first.slug });
  const page = await readPage(deps, path, credentials);
  expect(page.session?.id).toBe(second.id);
  expect(page.offsets.session?.id).toBe(second.id);
  await db.update(sessions).set({ name: "Renamed" }).where(eq(sessions.id, second.id));
  expect((await readPage(deps, path, credentials)).session?.name).toBe("Renamed");
});

async function buildViewers(count: number) {
  const session = await build.runningSession();
  const event = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  const viewers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const player = await build.player();
      await build.call({ userId: player.id, eventId: event.id, wagerCents: 1_011 + index });
      return { player, wager: `$10.${11 + index}`, credentials: await signInDirectly(deps, player) };
    }),
  );
  return { slug: session.slug, viewers };
}

test.each(lists)(
  "of the $name pages that many viewers open at once each has its own viewer's list alone",
  async ({ path }) => {
    const { slug, viewers } = await buildViewers(VIEWERS);
    const pages = await Promise.all(viewers.map(({ credentials }) => open(path(slug), credentials)));
    const wagers = viewers.map(({ wager }) => wager);
    for (const [index, { html }] of pages.entries())
      expect(wagers.filter((wager) => html.includes(wager))).toEqual([wagers[index] ?? ""]);
  },
);

test.each(lists)(
  "the list of the $name page is read after the offsets of its streams",
  async ({ statement, path }) => {
    const { slug, viewers } = await buildViewers(1);
    const [viewer] = viewers;
    await open(path(slug), viewer?.credentials ?? {});
    const statements = countStatements(deps.pool, statement);
    const { redis } = deps;
    const send = redis.sendCommand.bind(redis);
    const readBefore: number[] = [];
    redis.sendCommand = async (sent: Command) => {
      const answer: unknown = await send(sent);
      // The connection also pings, by itself.
      if (sent.name !== "ping") readBefore.push(statements.count());
      return answer;
    };
    const { html } = await open(path(slug), viewer?.credentials ?? {});
    redis.sendCommand = send;
    statements.stop();
    expect(html).toContain(viewer?.wager ?? "none");
    expect({ readBefore, read: statements.count() }).toEqual({ readBefore: [0], read: 1 });
  },
);

const PLAYERS = 30;

test("a page reads its own viewer alone, also while Postgres has no statistics, as after a restore", async () => {
  const { deps, build } = await testWorld();
  const session = await build.runningSession();
  const { id: eventId } = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => build.player()));
  for (const { id: userId } of players) await build.call({ userId, eventId });
  const signedIn = await Promise.all(players.map((player) => signInDirectly(deps, player)));
  await logPlans(deps.pool, { asLarge: false });
  const application = asApplication(deps);
  const server = createServer(application);
  const open = async () => {
    const headers = { ...signedIn[0], accept: "text/html" };
    const url = `http://localhost:3000/sessions/${session.slug}`;
    expect((await server.handle(new Request(url, { headers }))).status).toBe(200);
  };
  // The session is loaded by the first page.
  await open();
  const log = await openPlanLog();
  await open();
  const pageRead = log.readNew().filter(({ statement }) => statement.includes("sign_in_id"));
  const rowsOf = (table: string) =>
    pageRead.filter((read) => read.table === table).reduce((sum, { rows }) => sum + rows, 0);
  expect(["sign_ins", "users", "calls"].map((table) => [table, rowsOf(table)])).toEqual([
    ["sign_ins", 1],
    ["users", 1],
    ["calls", 1],
  ]);
  expect(rowsOf("accounts")).toBeLessThanOrEqual(2);
});
