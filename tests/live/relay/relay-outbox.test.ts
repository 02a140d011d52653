import { afterEach, expect, test } from "bun:test";
import { outbox } from "#db/schema/outbox.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { sessionStream } from "#src/base/streams/broadcast.ts";
import { sessionChanges } from "#src/live/relay/contract.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Relays, writeAndNotify } from "./relays.ts";

/** A broken fact is tried five times, a second apart. */
const SLOW_MS = 180_000;

const deps = await testDeps();
const relays = await Relays.open(deps);
const { listener } = relays;
afterFile(() => listener.stop());

afterEach(() => relays.stop());

test("a fact without a notification of the relay is broadcast by the sweep", async () => {
  const session = await buildRunningSession(deps);
  await relays.sendAndClear(relays.start());
  await writeFact(deps.pool.db, { kind: "session_changed", sessionId: session.id, change: "update" });
  await waitFor("the message", () => listener.session(session.id).length === 1);
});

test("two relays at the same time broadcast each fact once and in order", async () => {
  const session = await buildRunningSession(deps);
  const [web, worker] = [relays.start(), relays.start()];
  await relays.sendAndClear(web);
  const changes = Array.from(
    { length: 300 },
    (_, index) => sessionChanges[index % sessionChanges.length] ?? "update",
  );
  for (const [index, change] of changes.entries()) {
    await writeAndNotify(index % 2 === 0 ? web : worker, [
      { kind: "session_changed", sessionId: session.id, change },
    ]);
  }
  await relays.allSent();
  await waitFor("all messages", () => listener.session(session.id).length >= 300);
  expect(listener.session(session.id).map(({ eventType }) => String(eventType))).toEqual(changes);
});

test(
  "a fact that cannot be broadcast does not block the others for long",
  async () => {
    const session = await buildRunningSession(deps);
    const web = relays.start();
    await relays.sendAndClear(web);
    await deps.pool.db.insert(outbox).values({ kind: "nonsense", payload: { eventId: 1 } });
    await writeAndNotify(web, [
      // No such id fits into the database.
      { kind: "session_changed", sessionId: Number.MAX_VALUE, change: "start" },
      { kind: "session_changed", sessionId: session.id, change: "update" },
      { kind: "event_changed", eventId: 999_999_999, change: "update" },
    ]);
    await relays.allSent();
    expect(listener.names(sessionStream(session.id))).toEqual(["Session/update"]);
  },
  SLOW_MS,
);

test("a change that only a newer release knows is broadcast as an update", async () => {
  const session = await buildRunningSession(deps);
  const web = relays.start();
  await relays.sendAndClear(web);
  await writeAndNotify(web, [{ kind: "session_changed", sessionId: session.id, change: "dance" }]);
  await relays.allSent();
  expect(listener.names(sessionStream(session.id))).toEqual(["Session/update"]);
});
