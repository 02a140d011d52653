import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { createServer } from "#src/server.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import {
  buildAdmin,
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
} from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

// What an event was in the middle of a transaction nobody has seen, so no replay shows it to players.

const deps = await testDeps();
const server = createServer(deps);
const admin = await buildAdmin(deps);
const SECRET = "Zebra question";

/** A running session in which a player has called. */
async function buildPlayed() {
  const session = await buildRunningSession(deps);
  const player = await buildPlayer(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id, title: "Will it rain?" });
  await buildCall(deps, { userId: player.id, eventId: event.id });
  return { session, player };
}
type Played = Awaited<ReturnType<typeof buildPlayed>>;

/** The replay as the API, both exports and the page have it. */
async function readReplay({ session }: Played, user: { id: number; email: string | null }) {
  const client = await signedInClient(deps, server, user);
  const replay = `/api/v1/sessions/${session.slug}/replay`;
  const texts = new Map<string, string>();
  for (const path of [replay, `${replay}/export?format=csv`, `${replay}/export?format=json`]) {
    const { status, body } = await client.get(path);
    expect([path, status]).toEqual([path, 200]);
    texts.set(path, typeof body === "string" ? body : JSON.stringify(body));
  }
  const page = `/sessions/${session.slug}/replay`;
  const { status, html } = await (await readerFor(deps, server, user)).open(page);
  expect([page, status]).toEqual([page, 200]);
  return texts.set(page, html);
}

/** The API and the exports; the page without JavaScript shows the questions of its last moment only. */
async function expectShown(played: Played, { toPlayers }: { toPlayers: boolean }): Promise<void> {
  for (const [path, text] of await readReplay(played, played.player)) {
    if (path.startsWith("/api")) expect([path, text.includes("Will it rain?")]).toEqual([path, true]);
    if (path.startsWith("/api") || !toPlayers)
      expect([path, text.includes(SECRET)]).toEqual([path, toPlayers]);
  }
  for (const [path, text] of await readReplay(played, admin))
    if (path.startsWith("/api")) expect([path, text.includes(SECRET)]).toEqual([path, true]);
}

test("the questions that a stop has hidden unplayed are shown to no player", async () => {
  const played = await buildPlayed();
  const { id: sessionId } = played.session;
  await buildDraft(deps, { sessionId, title: SECRET, trueLabel: `${SECRET}: yes` });
  await stopSession(deps, { sessionId, actor: admin });
  await expectShown(played, { toPlayers: false });
});

const set = (tx: Transaction, eventId: number, state: (typeof events.$inferSelect)["state"]) =>
  tx.update(events).set({ state }).where(eq(events.id, eventId));
const reset = (tx: Transaction, eventId: number) =>
  tx
    .update(events)
    .set({ state: "draft", round: sql`${events.round} + 1` })
    .where(eq(events.id, eventId));

test.each<[string, boolean, (tx: Transaction, eventId: number) => Promise<unknown>]>([
  [
    "published and reset",
    false,
    async (tx, eventId) => {
      await set(tx, eventId, "visible");
      await reset(tx, eventId);
    },
  ],
  [
    "published, hidden and deleted",
    false,
    async (tx, eventId) => {
      for (const state of ["visible", "hidden", "soft_destroyed"] as const) await set(tx, eventId, state);
    },
  ],
  [
    "published, hidden and shown again",
    true,
    async (tx, eventId) => {
      for (const state of ["visible", "hidden", "visible"] as const) await set(tx, eventId, state);
    },
  ],
])("a draft that is %s in one transaction is what it is at its end", async (_name, toPlayers, change) => {
  const played = await buildPlayed();
  const { id: sessionId } = played.session;
  const { id } = await buildDraft(deps, { sessionId, title: SECRET });
  await inTransaction(deps.pool.db, (tx) => change(tx, id));
  await stopSession(deps, { sessionId, actor: admin });
  await expectShown(played, { toPlayers });
});
