import { expect, test } from "bun:test";
import { and, desc, eq } from "drizzle-orm";
import * as v from "valibot";
import type { StartMode } from "#db/lists/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { registrations } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import { createEvent } from "#src/show/events/create-event.ts";
import { destroyEvent } from "#src/show/events/destroy-event.ts";
import { eventsAnswer } from "#src/show/events/schemas.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { reorderEvents } from "#src/show/sessions/reorder-events.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { stageShows } from "./stage-shows.ts";

const deps = await testDeps();
const { admin, buildShow, by, clockAt, resolve, runUntil } = await stageShows(deps);
const server = createServer(deps);
const player = await buildPlayer(deps);
const asPlayer = await signedInClient(deps, server, player);

/** A running show, joined by a player, whose first event has closed. */
async function buildClosed(...modes: StartMode[]) {
  await clockAt(0);
  const show = await buildShow([["after_previous", 0], ...modes]);
  await deps.pool.db
    .insert(registrations)
    .values({ sessionId: show.sessionId, userId: player.id, displayName: "Ana" });
  await runUntil(21);
  return show;
}

/** What the player reads in the first event about the next one. */
async function nextStart(sessionId: number) {
  const { body } = await asPlayer.get(`/api/v1/sessions/${sessionId}/events`);
  return v.parse(eventsAnswer, body).events[0]?.nextStart;
}

/** How often a change of the event was announced. */
async function announced(eventId: number) {
  const rows = await deps.pool.db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.kind, "event_changed")))
    .orderBy(desc(outbox.id));
  const updates = v.array(v.object({ payload: v.looseObject({ eventId: v.number(), change: v.string() }) }));
  return v
    .parse(updates, rows)
    .filter(({ payload }) => payload.eventId === eventId && payload.change === "update").length;
}

test("players read whether the next event waits for the result or for the host", async () => {
  expect(await nextStart((await buildClosed("after_result")).sessionId)).toBe("after_result");
  expect(await nextStart((await buildClosed("by_hand")).sessionId)).toBe("by_hand");
  expect(await nextStart((await buildClosed("offset", "by_hand")).sessionId)).toBeNull();
  expect(await nextStart((await buildClosed()).sessionId)).toBeNull();
});

test("it is that of the event directly after it, and gone when that has opened", async () => {
  const { sessionId, a } = await buildClosed("after_result");
  await resolve(a);
  await runUntil(30);
  expect(await nextStart(sessionId)).toBeNull();
});

test("a change of what comes next is read and announced at once, although players do not see drafts", async () => {
  const { sessionId, order, a, b } = await buildClosed("by_hand");
  expect(await nextStart(sessionId)).toBe("by_hand");
  const before = await announced(a);
  await updateEvent(deps, { ...by(b), changes: { startMode: "after_result" } });
  expect(await nextStart(sessionId)).toBe("after_result");
  const added = { sessionId, actor: admin, title: "And this?", ask: false, startMode: "by_hand" } as const;
  const { id: c } = await createEvent(deps, added);
  await reorderEvents(deps, { ...order, eventIds: [c, b] });
  expect(await nextStart(sessionId)).toBe("by_hand");
  await destroyEvent(deps, by(c));
  expect(await nextStart(sessionId)).toBe("after_result");
  expect(await announced(a)).toBe(before + 4);
});
