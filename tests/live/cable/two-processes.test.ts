import { expect, test } from "bun:test";
import * as v from "valibot";
import { type UserMessage, userMessage } from "#src/live/relay/schemas.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { startWebProcess, type WebProcess } from "#tests/faults/worker-process.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Client, sessionChannel, userChannel } from "./client.ts";

/** Two processes start, on a machine that may be busy. */
const SLOW_MS = 180_000;

const deps = await testDeps();
const [one, two] = await Promise.all([startWebProcess(deps), startWebProcess(deps)]);
const ana = await buildPlayer(deps);
const credentials = await signInDirectly(deps, ana);
afterFile(() => Promise.all([one.stop(), two.stop()]));

const socketOf = ({ origin }: WebProcess) => `${origin.replace("http", "ws")}/cable`;
const connect = (where: WebProcess) =>
  new Client(socketOf(where), { origin: where.origin, cookie: credentials["cookie"] ?? "" }).welcomed();
const send = ({ origin }: WebProcess, method: string, path: string, body?: unknown) =>
  fetch(`${origin}${path}`, {
    method,
    headers: { ...credentials, origin, accept: "application/json", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test(
  "a call placed in one process appears in the other, and a sign-out closes sockets in both",
  async () => {
    const session = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
    const spotId = (await readSpots(deps, event.id)).true.id;
    const here = await connect(one);
    const own = userChannel(gidOf(ana.id));
    await here.follow(own);
    await here.follow(sessionChannel(session.slug));

    const placed = await send(two, "POST", "/api/v1/calls", { call: { spot_id: spotId, wager: 2.5 } });
    expect(placed.status).toBe(201);
    const ownMessages = () => here.messages(own).map((message): UserMessage => v.parse(userMessage, message));
    const wallets = () =>
      ownMessages().flatMap((message) =>
        message.eventType === "balance_change" ? [message.detail.wallet] : [],
      );
    // The broadcast of the first grant may still be on its way.
    await waitFor("the balance", () => wallets().some(({ held }) => held > 0));
    expect(wallets().at(-1)).toMatchObject({ held: 2.5, availableBalance: 97.5 });
    await here.waitForFrame(
      "the pool",
      ({ message }) => message?.["eventType"] === "pool" && JSON.stringify(message).includes('"total":2.5'),
    );

    const there = await connect(two);
    const signedOut = await send(two, "DELETE", "/users/sign_out");
    expect(signedOut.status).toBe(204);
    for (const client of [here, there]) {
      expect(await client.waitForClose()).toBe(1_000);
      expect(client.frames.at(-1)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
    }
  },
  SLOW_MS,
);
