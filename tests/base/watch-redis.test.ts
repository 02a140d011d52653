import { expect, test } from "bun:test";
import { findRedis } from "#db/embedded/redis.ts";
import { connectRedis } from "#src/base/redis.ts";
import { watchRedis } from "#src/base/watch-redis.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";

const PASSWORD = "the password of tests";

/** A Redis on a port, with a password and with users who lack something. */
const server = await startServer();
afterFile(() => server.stop());
const ends: (() => void)[] = [];
afterTest(() => {
  for (const end of ends.splice(0)) end();
});

type OwnServer = { port: number; stop: () => Promise<void> };
async function startServer(port = freePort()): Promise<OwnServer> {
  const { dataDir, remove } = makeDataFolder();
  const program = findRedis(dataDir, () => undefined);
  const users = [
    `user default on >${PASSWORD.replaceAll(" ", "-")} ~* &* +@all`,
    "user without-channels on >one ~* resetchannels +@all",
    "user without-keys on >one ~cable:* &* +@all",
    "user without-some on >one ~* &* +@all -config -client -acl -flushall",
  ];
  await Bun.write(`${dataDir}/users.acl`, `${users.join("\n")}\n`);
  const child = Bun.spawn(
    [
      program,
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--save",
      "",
      "--aclfile",
      `${dataDir}/users.acl`,
    ],
    { cwd: dataDir, stdout: "ignore", stderr: "ignore" },
  );
  return {
    port,
    stop: async () => {
      child.kill();
      await child.exited;
      remove();
    },
  };
}

/** Watches an address. @returns what is said of it, and whether Redis could be used. */
function watch(url: string) {
  const redis = connectRedis(url, "commands");
  const watching = watchRedis(redis, { redisUrl: url });
  let isUsable = false;
  void watching.usable.then(() => (isUsable = true));
  ends.push(() => {
    watching.stop();
    redis.disconnect();
  });
  return { redis, said: () => watching.trouble()?.said ?? null, isUsable: () => isUsable };
}

const password = PASSWORD.replaceAll(" ", "-");
const unusable = [
  {
    what: "a wrong password",
    url: `redis://:another@127.0.0.1:${server.port}`,
    says: ["REDIS_URL", "password"],
  },
  { what: "no password", url: `redis://127.0.0.1:${server.port}`, says: ["asks for a password"] },
  {
    what: "TLS where there is none",
    url: `rediss://:${password}@127.0.0.1:${server.port}`,
    says: ["redis://"],
  },
  { what: "a port where nothing listens", url: `redis://127.0.0.1:${freePort()}`, says: ["Start Redis"] },
  { what: "an unknown host", url: "redis://no-such-host.invalid", says: ["name is not known"] },
  {
    what: "a socket that is not there",
    url: "unix:/nowhere/redis.sock",
    says: ["Start Redis", "/nowhere/redis.sock"],
  },
  {
    what: "a user without channels",
    url: `redis://without-channels:one@127.0.0.1:${server.port}`,
    says: ["ACL SETUSER without-channels &* "],
  },
  {
    what: "a user without keys",
    url: `redis://without-keys:one@127.0.0.1:${server.port}`,
    says: ["ACL SETUSER without-keys ~* "],
  },
];
// All are watched from the beginning: what is said of some takes seconds.
const watched = unusable.map(({ what, url, says }) => ({ what, says, ...watch(url) }));
const endWatched = ends.splice(0);
afterFile(() => {
  for (const end of endWatched) end();
});
for (const { what, says, said, isUsable } of watched) {
  test(`${what} is said with its cure, without a secret, and Redis is not called usable`, async () => {
    // Where Redis takes seconds to answer, that may be said first.
    await untilPasses(() => {
      for (const word of says) expect(said()).toContain(word);
    });
    expect(said()).not.toContain("another");
    expect(said()).not.toContain(password);
    expect(isUsable()).toBe(false);
  });
}

test("a user without CONFIG and CLIENT has all that is needed", async () => {
  const { said, isUsable } = watch(`redis://without-some:one@127.0.0.1:${server.port}`);
  await waitFor("Redis to be usable", isUsable);
  expect(said()).toBeNull();
});

test("a Redis that goes and comes back is said, without work that meets it", async () => {
  const own = await startServer();
  const { said, isUsable } = watch(`redis://:${password}@127.0.0.1:${own.port}`);
  await waitFor("Redis to be usable", isUsable);
  await own.stop();
  await untilPasses(() => expect(said()).toContain("Start Redis"));
  const again = await startServer(own.port);
  await untilPasses(() => expect(said()).toBeNull());
  await again.stop();
});

type Command = [string, ...string[]];
const writeless: { what: string; begin: Command; end: Command; says: string }[] = [
  {
    what: "has no memory left",
    begin: ["CONFIG", "SET", "maxmemory", "1"],
    end: ["CONFIG", "SET", "maxmemory", "0"],
    says: "Raise maxmemory",
  },
  {
    what: "became a replica",
    begin: ["REPLICAOF", "127.0.0.1", "1"],
    end: ["REPLICAOF", "NO", "ONE"],
    says: "it is a replica. Name the primary",
  },
];
test.each(writeless)(
  "a Redis that $what, from the start or later, is said with its cure for as long as it lasts",
  async ({ begin, end, says }) => {
    const own = await createTestRedis();
    const warnings: string[] = [];
    const warn = ({ message }: Error) => warnings.push(message);
    process.on("warning", warn);
    await own.redis.call(...begin);
    const { said, isUsable, redis } = watch(own.url);
    const all = new Set<string | null>();
    // The product writes all the time, and a replica ends its connections for it.
    let writes = 0;
    const writing = setInterval(() => {
      for (let count = 0; count < 12; count += 1) redis.set("written", "1").catch(() => undefined);
      writes += 12;
      all.add(said());
    }, 20);
    ends.push(() => (process.off("warning", warn), clearInterval(writing), void own.stop()));
    await untilPasses(() => expect(said()).toContain(says));
    all.clear();
    const had = writes;
    await waitFor("many writes", () => writes > had + 2_000);
    expect([...all, isUsable()]).toEqual([expect.stringContaining(says), false]);
    await own.redis.call(...end);
    await waitFor("Redis to be usable", isUsable);
    expect(said()).toBeNull();
    await own.redis.call(...begin);
    await untilPasses(() => expect(said()).toContain(says));
    await own.redis.call(...end);
    await untilPasses(() => expect(said()).toBeNull());
    expect(warnings).toEqual([]);
  },
);
