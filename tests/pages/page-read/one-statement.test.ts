import { expect, test } from "bun:test";
import { eq, type SQL, sql } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import { signIns } from "#db/schema/users.ts";
import { destroySession } from "#src/show/sessions/create-session.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { type Credentials, readPage } from "./read-page.ts";

const { deps, db, build, server, signIn } = await testWorld();

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
  return { player, wagerCents, credentials: await signIn(player) };
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
    for (const own of ["/profile", "/profile/wallet", `/sessions/${session.slug}/history`])
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
  const credentials = await signIn(player);
  const before = new Date(Date.now() - 120_000);
  await db.update(signIns).set({ lastSeenAt: before }).where(eq(signIns.userId, player.id));
  await open("/profile", credentials);
  // No answer waits for that.
  await waitFor("the sign-in to be seen", async () => {
    const [signIn] = await db.select().from(signIns).where(eq(signIns.userId, player.id));
    return (signIn?.lastSeenAt.getTime() ?? 0) > before.getTime();
  });
});

test("a slug that another session has now leads to that one", async () => {
  const first = await build.session();
  const credentials = await signIn(await build.player());
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
