import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import path from "node:path";
import { readRelease } from "#db/upgrade/release.ts";
import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import { startCableServer } from "#tests/live/cable/cable-server.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { buildToken } from "#tests/people/access-tokens/build-token.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { payNow } from "#tests/support/pay.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { writeClient } from "./write-client.ts";

const folder = path.join(import.meta.dir, "../../dist.packages", `client-${process.pid}`);
const { deps, build, read } = await testWorld();
const relays = await Relays.open(deps);
const web = relays.start();
const live = startCableServer(web);
afterFile(async () => {
  rmSync(folder, { recursive: true, force: true });
  await live.stop();
  await relays.stop();
  relays.listener.stop();
});
await writeClient(folder, readRelease().version);
const admin = await build.admin();
const tokenOf = async (scope: "read" | "run") => (await buildToken(deps, { userId: admin.id, scope })).secret;

/** Runs a bot of the package. `said` is what it has printed so far. */
function run(
  bot: string,
  { session, token = "", args = [] }: { session: string; token?: string; args?: string[] },
) {
  const child = Bun.spawn([process.execPath, path.join(folder, `${bot}.js`), ...args], {
    env: { CALLED_IT: live.origin, CALLED_IT_TOKEN: token, SESSION: session },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = { text: "" };
  const ended = child.stdout
    .pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => void (printed.text += text) }));
  afterFile(() => child.kill());
  const said = (text: string) => waitFor(`${bot} to say ${text}`, () => printed.text.includes(text));
  return { child, ended, said, printed };
}

test("the chat bot makes a call of a linked account out of !yes 5, and says why another one is refused", async () => {
  const { session, event } = await build.openShow();
  const { child, said } = run("chat-bot", { session: session.slug });
  const say = async (line: string, answer: string) => {
    await child.stdin.write(`${line}\n`);
    await child.stdin.flush();
    await said(answer);
  };
  await say("Zoë: !yes 5", "Zoë: say !play first");
  await say("Zoë: hello", "");
  await say("Zoë: !play", "Zoë: you play");
  await say("Zoë: !yes 5", "Zoë: called ");
  const { true: spot } = await read.spots(event.id);
  expect([spot.callsCount, spot.poolCents]).toEqual([1, 500]);
  await say("Zoë: !no 100000", "Zoë: Validation failed");
  expect((await read.spots(event.id)).false.callsCount).toBe(0);
});

test("the button closes and resolves the event on air with the scope run, and with the scope read it changes nothing", async () => {
  const { session, event } = await build.openShow();
  const press = async (button: string, scope: "read" | "run") =>
    run("button", { session: session.slug, token: await tokenOf(scope), args: [button] }).child.exited;
  expect(await press("close", "read")).not.toBe(0);
  expect((await read.event(event.id)).state).toBe("open");
  expect([await press("close", "run"), await press("yes", "run")]).toEqual([0, 0]);
  expect(await read.event(event.id)).toMatchObject({ state: "resolved", result: "true" });
  expect(await press("no", "run")).not.toBe(0);
});

test("the scoreboard prints the leaders of a session when a result is paid", async () => {
  const { session, event } = await build.openShow();
  const player = await build.player();
  const board = run("scoreboard", { session: session.slug, token: await tokenOf("read") });
  await waitFor("it to follow", async () => {
    const [, count] = await deps.redis.pubsub("NUMSUB", sessionStream(session.id));
    return count === 1;
  });
  await build.call({ userId: player.id, eventId: event.id });
  for (const button of ["close", "yes"]) {
    const pressed = run("button", { session: session.slug, token: await tokenOf("run"), args: [button] });
    expect(await pressed.child.exited).toBe(0);
  }
  await payNow(web);
  await board.said(`1. ${player.username}`);
});

type Presence = { detail: { playersOnline: number } };
type Follow = (session: number, onMessage: (message: Presence) => void, onGap: () => void) => () => void;
type Package = { connect: (options: { url: string; token: string }) => { follow: Follow } };

test("what happened while the server was away comes after it is back, in order and once", async () => {
  const server = startCableServer(web);
  const { connect }: Package = await import(path.join(folder, "index.js"));
  const { id } = await build.session();
  const say = (playersOnline: number) => {
    const detail = { playersOnline, version: 1, serverTime: new Date().toISOString() };
    const text = JSON.stringify({ sourceType: "Presence", eventType: "count", detail });
    return broadcast(deps.redis, [{ stream: sessionStream(id), text }]);
  };
  const heard: number[] = [];
  const stop = connect({ url: server.origin, token: await tokenOf("read") }).follow(
    id,
    ({ detail }) => heard.push(detail.playersOnline),
    () => heard.push(-1),
  );
  await waitFor("it to hear", async () => {
    await say(0);
    return heard.length > 0;
  });
  await server.stop();
  for (const missed of [1, 2]) await say(missed);
  const again = startCableServer(web, {}, server.port);
  await waitFor("what was missed", () => heard.includes(2));
  await say(3);
  await waitFor("the last", () => heard.includes(3));
  expect(heard.filter((playersOnline) => playersOnline !== 0)).toEqual([1, 2, 3]);
  stop();
  await again.stop();
});
