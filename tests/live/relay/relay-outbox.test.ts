import { expect, test } from "bun:test";
import { isNull, sql } from "drizzle-orm";
import { sessionChanges } from "#db/lists/changes.ts";
import { outbox } from "#db/schema/outbox.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { sessionStream } from "#src/base/streams/broadcast.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { Relays, writeAndNotify } from "./relays.ts";

const { deps, db, build } = await testWorld();
const relays = await Relays.open(deps);
const { listener } = relays;
afterFile(() => listener.stop());

afterTest(() => relays.stop());

test("a fact without a notification of the relay is broadcast by the sweep", async () => {
  const session = await build.runningSession();
  await relays.sendAndClear(relays.start());
  await writeFact(db, { kind: "session_changed", sessionId: session.id, change: "update" });
  await waitFor("the message", () => listener.session(session.id).length === 1);
});

test("two relays at the same time broadcast each fact once and in order", async () => {
  const session = await build.runningSession();
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
  await untilPasses(() =>
    expect(listener.session(session.id).map(({ eventType }) => String(eventType))).toEqual(changes),
  );
});

test("a fact that cannot be broadcast holds up no other, is tried again with pauses, and is broadcast once it can be", async () => {
  const session = await build.runningSession();
  const web = relays.start();
  await relays.sendAndClear(web);
  await db.execute(
    sql.raw(`CREATE FUNCTION refuse_start() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.payload ->> 'change' = 'start' THEN RAISE EXCEPTION 'a fact that always fails'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse_start BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION refuse_start()`),
  );
  await db.insert(outbox).values({ kind: "nonsense", payload: { eventId: 1 } });
  await writeAndNotify(web, [
    { kind: "session_changed", sessionId: session.id, change: "start" },
    { kind: "session_changed", sessionId: session.id, change: "update" },
    { kind: "event_changed", eventId: 999_999_999, change: "update" },
  ]);
  const left = () => db.$count(outbox, isNull(outbox.sentAt));
  await waitFor("the others to be broadcast", async () => (await left()) === 1);
  await listener.settled(deps.redis);
  expect(listener.names(sessionStream(session.id))).toContain("Session/update");
  const failing = await waitFor("the second failure", async () => {
    const [row] = await listFailingRows(db, 2);
    return row ?? null;
  });
  expect(failing).toMatchObject({
    kind: "fact",
    reason: expect.stringContaining("a fact that always fails"),
  });
  expect(failing.nextAt.getTime() - failing.since.getTime()).toBeGreaterThanOrEqual(3_000);
  expect(await left()).toBe(1);

  await db.execute(sql.raw("DROP TRIGGER refuse_start ON outbox; DROP FUNCTION refuse_start()"));
  await waitFor("the fact to be broadcast", async () => (await left()) === 0);
  expect(await listFailingRows(db, 1)).toEqual([]);
});

test("a change that only a newer release knows is broadcast as an update", async () => {
  const session = await build.runningSession();
  const web = relays.start();
  await relays.sendAndClear(web);
  await writeAndNotify(web, [{ kind: "session_changed", sessionId: session.id, change: "dance" }]);
  await relays.allSent();
  expect(listener.names(sessionStream(session.id))).toEqual(["Session/update"]);
});
