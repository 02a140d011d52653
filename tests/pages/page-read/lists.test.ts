import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Command } from "ioredis";
import { signIns } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { countStatements } from "#tests/support/count-statements.ts";
import { testDeps } from "#tests/support/deps.ts";
import type { Credentials } from "./read-page.ts";

const deps = await testDeps();
const server = createServer(deps);
const VIEWERS = 20;

/** A list page, and a text that only the statement of its list contains. */
const lists = [
  { name: "wallet", statement: "held_after", path: () => "/profile/wallet" },
  { name: "history", statement: "page.id", path: (slug: string) => `/sessions/${slug}/history` },
] as const;

async function open(path: string, credentials: Credentials): Promise<{ status: number; html: string }> {
  const headers = { ...credentials, accept: "text/html" };
  const response = await server.handle(new Request(`http://localhost:3000${path}`, { headers }));
  return { status: response.status, html: await response.text() };
}

async function buildViewers(count: number) {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
  const viewers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const player = await buildPlayer(deps);
      await buildCall(deps, { userId: player.id, eventId: event.id, wagerCents: 1_011 + index });
      return { player, wager: `$10.${11 + index}`, credentials: await signInDirectly(deps, player) };
    }),
  );
  return { slug: session.slug, viewers };
}

test.each(lists)(
  "the $name page of many viewers at once costs few statements for their lists, and each gets only their own",
  async ({ statement, path }) => {
    const { slug, viewers } = await buildViewers(VIEWERS);
    const openAll = () => Promise.all(viewers.map(({ credentials }) => open(path(slug), credentials)));
    await openAll();
    const statements = countStatements(deps.pool, statement);
    const pages = await openAll();
    statements.stop();
    expect(statements.count()).toBeGreaterThan(0);
    expect(statements.count()).toBeLessThanOrEqual(3);
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

test.each(lists)("an ended sign-in opens no $name page, though its list is being read", async ({ path }) => {
  const { slug, viewers } = await buildViewers(1);
  const [viewer] = viewers;
  expect((await open(path(slug), viewer?.credentials ?? {})).status).toBe(200);
  await deps.pool.db
    .update(signIns)
    .set({ endedAt: new Date() })
    .where(eq(signIns.userId, viewer?.player.id ?? 0));
  const { status, html } = await open(path(slug), viewer?.credentials ?? {});
  expect(status).toBe(302);
  expect(html).not.toContain(viewer?.wager ?? "none");
});

test("the calls in a session that does not exist are not found, and the next page works", async () => {
  const { slug, viewers } = await buildViewers(1);
  const credentials = viewers[0]?.credentials ?? {};
  expect((await open("/sessions/no-such-session/history", credentials)).status).toBe(404);
  expect((await open(`/sessions/${slug}/history`, credentials)).status).toBe(200);
});
