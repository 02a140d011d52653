import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { startWorkers } from "#jobs/workers.ts";
import { claimRedis, readInstallation } from "#src/base/claim-redis.ts";
import { connectRedis } from "#src/base/redis.ts";
import { broadcast, broadcastControl, userStream } from "#src/base/streams/broadcast.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { startNode } from "#tests/engines/redis-nodes.ts";
import { runCheck } from "#tests/operate/checks/run-check.ts";
import { runProgram } from "#tests/run/command.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { type TestDeps, testDeps } from "#tests/support/deps.ts";
import { readyConnection } from "#tests/support/redis.ts";
import { createSilentPort } from "#tests/support/silent-proxy.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { buildSignedIn, startCableServer } from "./cable-server.ts";
import { userChannel } from "./client.ts";

const port = freePort();
const server = await startNode(port, []);
afterFile(() => server.stop());
const urlOf = (number: number) => `redis://127.0.0.1:${port}/${number}`;
const [one, two] = await Promise.all([testDeps({ REDIS_URL: urlOf(0) }), testDeps({ REDIS_URL: urlOf(1) })]);

/** A player of an installation who listens. Both have the same ids, because their databases are new. */
async function listen(deps: TestDeps) {
  const cable = startCableServer(deps);
  afterFile(() => cable.stop());
  const player = await buildSignedIn(deps);
  const client = await cable.connect(player);
  const own = userChannel(player.gid);
  await client.follow(own);
  return { player, client, heard: () => client.messages(own) };
}

test("players of two installations on two numbers of a Redis hear their own messages alone", async () => {
  const [here, there] = [await listen(one), await listen(two)];
  expect(here.player.gid).toBe(there.player.gid);
  const stream = userStream(here.player.user.id);
  await broadcast(one.redis, [{ stream, text: '{"private":"of one"}' }]);
  await broadcastControl(one.redis, { stream, message: { control: "of one" } });
  await broadcast(two.redis, [{ stream, text: '{"private":"of two"}' }]);
  await broadcastControl(two.redis, { stream, message: { control: "of two" } });
  await waitFor("both", () => here.heard().length === 2 && there.heard().length === 2);
  expect(here.heard()).toEqual(expect.arrayContaining([{ private: "of one" }, { control: "of one" }]));
  expect(there.heard()).toEqual(expect.arrayContaining([{ private: "of two" }, { control: "of two" }]));

  await broadcastControl(one.redis, { userId: here.player.user.id });
  await waitFor("the end of its socket", () => here.client.closed !== null);
  await broadcast(two.redis, [{ stream, text: '{"later":true}' }]);
  await waitFor("what comes later", () => there.heard().length === 3);
  expect(there.client.closed).toBeNull();
});

test("the workers of one number are not taken for those of another", async () => {
  const connection = connectRedis(urlOf(1), "worker");
  const workers = startWorkers(two, connection);
  const count = (deps: TestDeps) => deps.queues.byName.transitions.getWorkersCount();
  await waitFor("its own", async () => (await count(two)) > 0);
  expect(await count(one)).toBe(0);
  await Promise.all(workers.map((worker) => worker.close()));
  connection.disconnect();
});

/** Runs a process on the database of the second installation. */
async function run(file: string, redisUrl: string) {
  const { databaseUrl, dataDir } = two.env;
  const settings = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: dataDir, DEMO: "off" };
  const { code, out, errors } = await runProgram([file], { PORT: String(freePort()), ...settings });
  return { output: `${out}${errors}`, code };
}

test("a process is refused on the number of another installation until that is emptied, and has changed nothing there", async () => {
  const first = { id: await readInstallation(one.pool.db), publicUrl: "https://one.example" };
  const redis = await readyConnection(urlOf(2));
  expect(await claimRedis(redis, first)).toBeNull();
  const keysBefore = await redis.keys("*");
  // It answers so late that a start would take it for one that is away.
  const late = await createSilentPort(port);
  late.delay(1_300);
  const files = ["src/main.ts", "jobs/main.ts", "jobs/demo/seed.ts"];
  const starts = files.map((file) => run(file, `redis://127.0.0.1:${late.port}/2`));
  for (const { output, code } of await Promise.all(starts)) {
    expect(output).toMatch(/Redis of another installation \(https:\/\/one\.example\).*bun run empty-redis/);
    expect(code).toBe(1);
  }
  // Who operates the second one reads it there.
  await untilPasses(async () => {
    const { said } = await runCheck(two, "starts");
    for (const name of ["web", "worker"]) expect(said).toContain(`${name} on ${hostname()}: REDIS_URL names`);
  });
  // Alone: it gives up each question after 5 s.
  const { output } = await run("src/run/doctor.ts", urlOf(2));
  expect(output).toMatch(/^refused +Redis: owner .*https:\/\/one\.example/m);
  expect(await redis.keys("*")).toEqual(keysBefore);
  expect(await claimRedis(redis, first)).toBeNull();

  await two.redis.set("a key", "of another number");
  expect(await run("src/run/empty-redis.ts", urlOf(2))).toMatchObject({ code: 0 });
  expect(await redis.dbsize()).toBe(0);
  expect(await two.redis.get("a key")).toBe("of another number");
  const second = { id: await readInstallation(two.pool.db), publicUrl: "https://two.example" };
  expect(await claimRedis(redis, second)).toBeNull();
  expect(await claimRedis(redis, first)).toBe("https://two.example");
  redis.disconnect();
});
