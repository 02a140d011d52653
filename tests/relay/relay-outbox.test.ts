import { afterEach, expect, test } from "bun:test";
import { outbox } from "#db/schema/outbox.ts";
import { writeFact } from "#src/outbox/write-fact.ts";
import { sessionChanges } from "#src/relay/contract.ts";
import { sessionStream } from "#src/streams/broadcast.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Relays, tell } from "./relays.ts";

/** Five tries, a second apart. */
const SLOW_MS = 20_000;

const deps = await testDeps();
const relays = await Relays.open(deps);
const { radio } = relays;
afterFile(() => radio.stop());

afterEach(() => relays.stop());

test("what nobody rang for is told within the sweep's second", async () => {
  const session = await buildRunningSession(deps);
  await relays.quiet(relays.start());
  await writeFact(deps.pool.db, { kind: "session_changed", sessionId: session.id, change: "update" });
  await waitFor("the message", () => radio.session(session.id).length === 1, { withinMs: 2_500 });
});

test("two relays at once tell each fact once, and in order", async () => {
  const session = await buildRunningSession(deps);
  const [web, worker] = [relays.start(), relays.start()];
  await relays.quiet(web);
  const changes = Array.from(
    { length: 300 },
    (_, index) => sessionChanges[index % sessionChanges.length] ?? "update",
  );
  for (const [index, change] of changes.entries()) {
    await tell(index % 2 === 0 ? web : worker, [{ kind: "session_changed", sessionId: session.id, change }]);
  }
  await relays.told();
  await waitFor("all messages", () => radio.session(session.id).length >= 300);
  expect(radio.session(session.id).map(({ eventType }) => String(eventType))).toEqual(changes);
});

test(
  "a fact that cannot be told does not hold up the others for long",
  async () => {
    const session = await buildRunningSession(deps);
    const web = relays.start();
    await relays.quiet(web);
    await deps.pool.db.insert(outbox).values({ kind: "nonsense", payload: { eventId: 1 } });
    await tell(web, [
      { kind: "session_changed", sessionId: session.id, change: "dance" },
      { kind: "session_changed", sessionId: session.id, change: "update" },
      { kind: "event_changed", eventId: 999_999_999, change: "update" },
    ]);
    await relays.told();
    expect(radio.names(sessionStream(session.id))).toEqual(["Session/update"]);
  },
  SLOW_MS,
);
