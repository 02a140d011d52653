import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { NetworkInterfaceInfo } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { POOL_SIZE_MAX, connect } from "#db/client.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { launch } from "#db/embedded/server.ts";
import { connectionsFor, hintForPhones } from "#src/run/bring-up.ts";
import { describeFailure } from "#src/run/command-line.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import { testDeps, type TestDeps } from "#tests/support/deps.ts";

/** What may be wrong with a database: the address that leads to it, and what every command says about it. @param deps whose database it is. */
async function databaseFaults({ env }: TestDeps) {
  const address = (change: (url: URL) => void) => {
    const url = new URL(env.databaseUrl);
    change(url);
    return url.toString();
  };
  const [stranger, limited] = [
    await createRole("stranger"),
    await createRole("limited", "CONNECTION LIMIT 0"),
  ];
  return {
    "the role has no rights": {
      url: address((url) => (url.username = stranger)),
      says: [/permission denied/, /MIGRATE_DATABASE_URL/],
    },
    // As in the units of deploy/systemd: the role that serves has no right to read everything.
    "the role is the application's": {
      url: address((url) => (url.username = APPLICATION_ROLE)),
      says: [/permission denied/, /MIGRATE_DATABASE_URL/],
    },
    "there is no free connection": {
      url: address((url) => (url.username = limited)),
      says: [/too many connections/, /All connections are in use/],
    },
    "the database does not exist": {
      url: address((url) => (url.pathname = "/nowhere")),
      says: [/database "nowhere" does not exist/, /Create the database/],
    },
    "the role does not exist": {
      url: address((url) => (url.username = "nobody_yet")),
      says: [/role "nobody_yet" does not exist/, /does not accept this role/],
    },
    "Postgres is away": {
      url: "postgres://called_it@127.0.0.1:1/called_it",
      says: [/Start it, or correct the host and the port/],
    },
  };
}

/** A role that may sign in, and nothing else. */
async function createRole(name: string, options = ""): Promise<string> {
  const role = `${name}_${crypto.randomUUID().slice(0, 8)}`;
  const owner = await testDatabase({ empty: true });
  await owner.pool.db.execute(sql.raw(`CREATE ROLE ${role} LOGIN ${options}`));
  afterFile(async () => {
    await owner.pool.db.execute(sql.raw(`DROP ROLE ${role}`));
  });
  return role;
}

// A start waits for as long as its child works.
const STILL_MAX_MS = 3_000;
const folder = makeFileFolder();

/** Launches a shell with this program, which is ready once it has made the file `$0`. */
function start(program: string) {
  const ready = path.join(folder, crypto.randomUUID());
  return launch({
    name: "The child",
    command: ["/bin/sh", "-c", program, ready],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stopSignal: "SIGTERM",
    stillMaxMs: STILL_MAX_MS,
    isReady: () => existsSync(ready),
  });
}

test("a child that works for longer than it may stand still is waited for", async () => {
  // A fifth of a processor for twice as long: many times what counts as work.
  const turn = "n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done; sleep 0.3";
  const busy = `end=$(($(date +%s) + ${(2 * STILL_MAX_MS) / 1_000})); while [ $(date +%s) -lt $end ]; do ${turn}; done`;
  const server = await start(`${busy}; : > "$0"; exec sleep 600`);
  await server.stop();
});

test("a child that has ended is told with its code", async () => {
  expect(await start("exit 7").catch(String)).toContain("The child did not start: it has ended with code 7");
});

test("a child that stands still is ended, and said so", async () => {
  expect(await start("exec sleep 600").catch(String)).toContain("it has done nothing for 3 s");
});

// What the commands print: all of them say a failure by the same function.
const deps = await testDeps();
const empty = await testDatabase({ empty: true });
const faults = {
  ...(await databaseFaults(deps)),
  "the database is empty": { url: empty.url, says: [/`bun run migrate`/] },
};

test.each(Object.entries(faults))(
  "%s: a command says the cause and the cure, and no query",
  async (_, { url, says }) => {
    const pool = connect(url, { poolSize: 1 });
    const failed = pool.db.transaction((tx) => tx.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE"));
    const output = await failed.then(
      () => "nothing",
      (error: unknown) => describeFailure(error, "The command failed."),
    );
    for (const line of says) expect(output).toMatch(line);
    expect(output).not.toMatch(/Failed query|LOCK TABLE|^\s+at /im);
    await pool.close();
  },
);

const own = { production: false, host: "127.0.0.1", publicUrl: "http://localhost:3000", port: 3_000 };
const card = (address: string, internal: boolean): NetworkInterfaceInfo => ({
  address,
  internal,
  family: "IPv4",
  netmask: "255.255.255.0",
  mac: "00:00:00:00:00:00",
  cidr: null,
});
const network = { lo: [card("127.0.0.1", true)], wlan0: [card("192.168.1.7", false)] };

test("a start that only its own computer can open says how phones in the room reach it", () => {
  expect(hintForPhones(own, network).at(-1)).toBe(
    "  HOST=0.0.0.0 PUBLIC_URL=http://192.168.1.7:3000 NODE_ENV=development",
  );
});

test("a start that others reach, one for production, and a computer without a network say nothing of it", () => {
  expect(hintForPhones({ ...own, production: true }, network)).toEqual([]);
  expect(hintForPhones({ ...own, host: "0.0.0.0" }, network)).toEqual([]);
  expect(hintForPhones({ ...own, publicUrl: "http://192.168.1.7:3000" }, network)).toEqual([]);
  expect(hintForPhones(own, { lo: network.lo })).toEqual([]);
});

test("the embedded Postgres has room for both pools of each process, of one more that replaces it, and for scripts", () => {
  for (const webConcurrency of [1, 2, 16]) {
    const processes = webConcurrency + 2;
    expect(connectionsFor({ webConcurrency })).toBeGreaterThan(processes * 2 * POOL_SIZE_MAX + POOL_SIZE_MAX);
  }
});
