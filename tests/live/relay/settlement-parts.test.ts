import { expect, test } from "bun:test";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { buildLargeEvent, payOnePart } from "#tests/play/settlements/large-settlement.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { payInParts } from "#tests/support/database.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { Relays } from "./relays.ts";

const { deps, timer } = await testWorld();
await payInParts(deps.pool, { atOnceMax: 3, partMax: 2 });
const relays = await Relays.open(deps);
afterFile(() => relays.listener.stop());

afterTest(() => relays.stop());

test("players of a large settlement get their result once, when their part is paid", async () => {
  const event = await buildLargeEvent(deps);
  const web = relays.start();
  await relays.sendAndClear(web);
  const resultsCounts = async () => {
    web.notifyRelay();
    await relays.allSent();
    const namesOfPlayers = event.players.map(({ id }) => relays.listener.names(userStream(id)));
    return namesOfPlayers.map((names) => names.filter((name) => name === "Call/resolve_call").length);
  };
  await timer.resolve(event.eventId);
  expect(await resultsCounts()).toEqual([0, 0, 0, 0]);
  await payOnePart(deps, event);
  expect(await resultsCounts()).toEqual([0, 0, 1, 1]);
  await timer.pay();
  expect(await resultsCounts()).toEqual([1, 1, 1, 1]);
});

test("the leaders of a session are broadcast when all parts of a result are paid, and not before", async () => {
  const event = await buildLargeEvent(deps);
  const web = relays.start();
  await relays.sendAndClear(web);
  const names = () => relays.listener.names(sessionStream(event.sessionId));
  await timer.resolve(event.eventId);
  await payOnePart(deps, event);
  web.notifyRelay();
  await relays.allSent();
  await timer.pay();
  web.notifyRelay();
  await waitFor("the leaders", () => names().includes("Score/leaders"));
  expect(names().slice(-2)).toEqual(["Event/pay", "Score/leaders"]);
});
