import { expect, test } from "bun:test";
import { createCable } from "@anycable/core";
import { adapters, createConsumer } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import * as v from "valibot";
import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { ownVariables } from "#src/settings/env.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { browserSocket } from "./browser-socket.ts";
import { buildSignedIn, startCableServer } from "./cable-server.ts";
import { type CutProxy, openCutProxy } from "./cut-proxy.ts";

// Both official client packages, unchanged, behind connections that are cut for a while, and behind one that is not. They stay connected,
// or reconnect by themselves, and all of them get the messages of that time and the later ones.

/** 0 is not cut. `CUTS="0 2 10 40" bun test tests/live/cable/long-cuts.test.ts` cuts for longer. */
const CUTS_S = (ownVariables()["CUTS"] ?? "0 2").split(" ").map(Number);
const LONGEST_MS = 120_000;
const ownSocket = adapters.WebSocket;

const { deps, build } = await testWorld();
const server = startCableServer(deps);
const ana = await buildSignedIn(deps);
const session = await build.session();
adapters.WebSocket = browserSocket(headersTo);
afterFile(async () => {
  adapters.WebSocket = ownSocket;
  await server.stop();
});

/** The headers that a page at that address sends. */
function headersTo(url: string): Record<string, string> {
  return { cookie: ana.cookie, origin: `http://${new URL(url).host}` };
}

const numbered = v.object({ number: v.number() });
/** What the client package tells about a message; its types do not say it. */
const withOffset = v.object({ offset: v.number() });
function numberIn(message: unknown): number[] {
  const parsed = v.safeParse(numbered, message);
  return parsed.success ? [parsed.output.number] : [];
}

function inOrder(byOffset: ReadonlyMap<number, number>): number[] {
  return [...byOffset].toSorted(([one], [other]) => one - other).map(([, number]) => number);
}

type Client = { received: () => number[]; connects: () => number; close: () => void };

/** The stock client stores no offset. As the product's page does, this asks for the messages behind the last one. */
function openStock({ port }: CutProxy): Client {
  const consumer = createConsumer(`ws://127.0.0.1:${port}/cable`);
  const byOffset = new Map<number, number>();
  let last: StreamOffset | null = null;
  let connects = 0;
  const subscription = consumer.subscriptions.create(
    { channel: "SessionsChannel", id: session.id },
    {
      connected: () => {
        connects += 1;
        if (last !== null) subscription.perform("since", { ...last });
      },
      received: (message: StreamOffset) => {
        for (const number of numberIn(message)) {
          byOffset.set(message.offset, number);
          last = { epoch: message.epoch, offset: message.offset };
        }
      },
    },
  );
  return { received: () => inOrder(byOffset), connects: () => connects, close: () => consumer.disconnect() };
}

function openExtended({ port }: CutProxy): Client {
  const cable = createCable(`ws://127.0.0.1:${port}/cable`, {
    protocol: "actioncable-v1-ext-json",
    websocketImplementation: browserSocket(headersTo),
    logLevel: "error",
  });
  // A new message may arrive before the history that the client asked for, and again in it.
  const byOffset = new Map<number, number>();
  let connects = 0;
  const channel = cable.subscribeTo("SessionsChannel", { id: session.id });
  channel.on("connect", () => void (connects += 1));
  channel.on("message", (message, meta) => {
    for (const number of numberIn(message)) byOffset.set(v.parse(withOffset, meta).offset, number);
  });
  return { received: () => inOrder(byOffset), connects: () => connects, close: () => cable.disconnect() };
}

const say = (number: number) =>
  broadcast(deps.redis, [{ stream: sessionStream(session.id), text: JSON.stringify({ number }) }]);

test(
  `both official clients connect once more after each cut of ${CUTS_S.join(", ")} seconds and get all messages`,
  async () => {
    const wires = await Promise.all(
      CUTS_S.map(async (awayS) => ({ awayS, proxy: await openCutProxy(server.port) })),
    );
    const clients = wires.flatMap(({ proxy }) => [openStock(proxy), openExtended(proxy)]);
    const connects = () => clients.map((client) => client.connects());
    await untilPasses(() => expect(connects()).toEqual(clients.map(() => 1)));
    await say(1);
    await waitFor("the first", () => clients.every(({ received }) => received().length === 1));
    await Promise.all(
      wires.map(async ({ awayS, proxy }) => {
        if (awayS > 0) proxy.goAway();
        await Bun.sleep(awayS * 1_000);
        proxy.comeBack();
      }),
    );
    // Some are connected again by now, others are not.
    await say(2);
    const expected = wires.flatMap(({ awayS }) => (awayS > 0 ? [2, 2] : [1, 1]));
    await untilPasses(() => expect(connects()).toEqual(expected), { withinMs: LONGEST_MS });
    await say(3);
    await waitFor("the last", () => clients.every(({ received }) => received().length >= 3));
    expect(clients.map(({ received }) => received())).toEqual(clients.map(() => [1, 2, 3]));
    for (const client of clients) client.close();
    for (const { proxy } of wires) proxy.stop();
  },
  LONGEST_MS,
);
