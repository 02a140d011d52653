import { expect, test } from "bun:test";
import * as v from "valibot";
import { callsAnswer } from "#src/play/calls/schemas.ts";
import { createServer } from "#src/server.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { readWallet } from "#tests/support/books.ts";
import { buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();
const server = createServer(deps);
const player = await buildPlayer(deps);
const browser = await signedInClient(deps, server, player);

test("a call is active while it is placed or closed, and only then its wager is held", async () => {
  const seen: unknown[] = [];
  const eventId = (await buildEvent(deps, "open")).id;
  const callId = await buildCall(deps, { userId: player.id, eventId, wagerCents: 300 });
  const look = async () => {
    const read = async (query: string) =>
      v.parse(callsAnswer, (await browser.get(`/api/v1/calls?${query}`)).body).calls;
    const [call] = await read("");
    const [active, ended] = [await read("active=true"), await read("active=false")];
    expect(call?.id).toBe(callId);
    const { heldCents } = await readWallet(deps.pool.db, player.id);
    seen.push([call?.state, call?.active, active.length, ended.length, heldCents]);
  };
  await look();
  await closeEvent(deps, { eventId, actor: null });
  await look();
  await resolveAndPay(deps, { eventId, actor: null, result: "true" });
  await look();
  expect(seen).toEqual([
    ["placed", true, 1, 0, 300],
    ["closed", true, 1, 0, 300],
    ["resolved", false, 0, 1, 0],
  ]);
});

test("a call that was taken back is not active", async () => {
  const eventId = (await buildEvent(deps, "open")).id;
  const callId = await buildCall(deps, { userId: player.id, eventId });
  await browser.send("DELETE", `/api/v1/calls/${callId}`);
  const { body } = await browser.get("/api/v1/calls?state=soft_destroyed");
  expect(v.parse(callsAnswer, body).calls).toMatchObject([{ id: callId, active: false }]);
});
