import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startWebProcess } from "#tests/faults/worker-process.ts";
import { Client } from "#tests/live/cable/client.ts";
import { givePassword, Person } from "#tests/people/users/person.ts";
import { inLongTransaction } from "#tests/support/in-long-transaction.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build } = await testWorld();

async function startWithPlayer(variables: Record<string, string> = {}) {
  const web = await startWebProcess(deps, { variables });
  const user = await build.player();
  await givePassword(deps, user.id);
  const person = new Person({ handle: (request) => fetch(request) }, web.origin);
  await person.signIn(user.email);
  return { web, person };
}

test("on SIGTERM it finishes running requests, disconnects sockets, refuses new ones and exits", async () => {
  const { web, person } = await startWithPlayer();
  const cookie = `called_it=${person.cookies.get("called_it")}`;
  const socket = new Client(`${web.origin.replace("http", "ws")}/cable`, { origin: web.origin, cookie });
  await socket.welcomed();

  const { slow, stopped, refused } = await inLongTransaction(db, async (tx) => {
    await tx.execute(sql`LOCK TABLE sign_ins IN ACCESS EXCLUSIVE MODE`);
    const answer = person.get("/api/v1/users/me");
    await untilBlocked(db);
    const exited = web.stop();
    await waitFor("the socket to close", () => socket.closed !== null);
    const late = await fetch(`${web.origin}/up`).catch(() => null);
    return { slow: { answer }, stopped: { exited }, refused: late === null };
  });
  expect((await slow.answer).status).toBe(200);
  expect(await stopped.exited).toBe(0);
  expect(refused).toBe(true);
  expect(socket.ofType("disconnect")).toEqual([
    { type: "disconnect", reason: "server_restart", reconnect: true },
  ]);
});

test("while it drains it serves everything on connections that close, and a proxy reads at /ready that it leaves", async () => {
  const { web, person } = await startWithPlayer({ DRAIN_SECONDS: "5" });
  const cookie = `called_it=${person.cookies.get("called_it")}`;
  const exited = web.stop();
  await waitFor("the process to drain", async () => (await fetch(`${web.origin}/ready`)).status === 503);
  expect(await (await fetch(`${web.origin}/ready`)).json()).toMatchObject({ ready: false, leaving: true });
  const answer = await person.get("/api/v1/users/me");
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
  const socket = new Client(`${web.origin.replace("http", "ws")}/cable`, { origin: web.origin, cookie });
  await socket.welcomed();
  await socket.waitForClose();
  expect(socket.ofType("disconnect")).toEqual([
    { type: "disconnect", reason: "server_restart", reconnect: true },
  ]);
  expect(await exited).toBe(0);
});

test("while it hands its port over, the port stays ready", async () => {
  const { web } = await startWithPlayer({ DRAIN_SECONDS: "5" });
  const exited = web.stop("SIGUSR2");
  await waitFor(
    "the process to drain",
    async () => (await fetch(`${web.origin}/up`)).headers.get("connection") === "close",
  );
  expect((await fetch(`${web.origin}/ready`)).status).toBe(200);
  expect(await exited).toBe(0);
});

test("it starts while Redis is away, is ready for what works without, and exits at once on Ctrl-C", async () => {
  const nowhere = { ...deps.env, redisUrl: "unix:/tmp/no/such/redis.sock" };
  const web = await startWebProcess({ ...deps, env: nowhere });
  const response = await fetch(`${web.origin}/ready`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ ready: true, degraded: [{ what: "redis away" }] });
  // A process that something holds back is ended after seconds, with another code.
  expect(await web.stop("SIGINT")).toBe(0);
});
