import { expect, test } from "bun:test";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { migrate } from "#db/migrate.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { endWithThis } from "#tests/bench/harness.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { Client, sessionChannel } from "#tests/live/cable/client.ts";
import { givePassword, Person } from "#tests/people/users/person.ts";
import { engineDeps } from "#tests/proofs/engines/engine-deps.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { testDatabase } from "#tests/support/database.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";
import { readLastContract } from "#tests/upgrade/contract.ts";
import { hasCommit, takeRelease } from "#tests/upgrade/take-release.ts";

// The web process of the last release, from the history, as in an upgrade of many machines: it runs when its database is migrated to
// this release, and goes on. Players are still with it, while a worker of this release closes the event.
const { version, commit } = readLastContract();
const isInHistory = await hasCommit(commit);
if (!isInHistory) {
  process.stderr.write(
    `The web process of ${version} is not tested: this checkout does not have its commit ${commit}. \`git fetch --unshallow\` brings it to a ` +
      "shallow clone; files without their history cannot have it. tests/upgrade/last-release.test.ts tests what it sends to the database.\n",
  );
}
/** The packages are installed and the pages built, on a machine that may be busy. */
const SLOW_MS = 180_000;

/** Starts the last release on an empty database, and migrates that to this release. */
async function startLastRelease() {
  const database = await testDatabase({ empty: true });
  const deps = await engineDeps({ ownerUrl: database.url });
  const release = await takeRelease(commit);
  const { dataDir, remove } = makeDataFolder();
  afterFile(() => [release, { remove }].forEach((each) => each.remove()));
  const served = new URL(database.url);
  served.username = APPLICATION_ROLE;
  const port = freePort();
  const options = {
    cwd: release.folder,
    env: {
      PATH: "/usr/bin:/bin",
      NODE_ENV: "development",
      DATA_DIR: dataDir,
      DATABASE_URL: served.toString(),
      MIGRATE_DATABASE_URL: database.url,
      REDIS_URL: deps.env.redisUrl,
      SECRET_KEY: deps.env.secretKey,
      PORT: String(port),
      LOG_LEVEL: "warn",
      DEMO: "off",
      RATE_LIMITS: "off",
    },
    stdout: "inherit",
    stderr: "inherit",
  } as const;
  expect(await Bun.spawn([process.execPath, "src/run/migrate.ts"], options).exited).toBe(0);
  const web = Bun.spawn([process.execPath, "src/main.ts"], options);
  endWithThis(web);
  afterFile(async () => {
    web.kill("SIGTERM");
    await web.exited;
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(
    "the last release",
    () =>
      fetch(`${origin}/up`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { withinMs: PROCESS_STARTS_WITHIN_MS },
  );
  await migrate(database.url, { applicationRole: APPLICATION_ROLE });
  return { deps, origin };
}

test.skipIf(!isInHistory)(
  `the web process of ${version} signs in, shows pages, places calls and sends messages after the migration to this release`,
  async () => {
    figure(`the web process of ${version}, commit ${commit.slice(0, 8)}`);
    const { deps, origin } = await startLastRelease();
    const session = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
    const player = await buildPlayer(deps);
    await givePassword(deps, player.id);

    const person = new Person({ handle: (request) => fetch(request) }, origin);
    expect((await person.signIn(player.email)).status).toBe(200);

    const page = await person.get(`/sessions/${session.slug}`, { accept: "text/html" });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(event.title);

    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const socket = await new Client(`${origin.replace("http", "ws")}/cable`, { origin, cookie }).welcomed();
    await socket.follow(sessionChannel(session.id));

    const { true: spot } = await readSpots(deps, event.id);
    const body = { call: { spot_id: spot.id, wager: 1 } };
    expect((await person.send("POST", "/api/v1/calls", { body, headers: { origin } })).status).toBe(201);
    await socket.waitForFrame(
      "the pool with the call",
      ({ message }) => message?.["eventType"] === "pool" && JSON.stringify(message).includes('"total":1'),
    );

    await closeEvent(deps, { eventId: event.id, actor: null });
    await socket.waitForFrame("the close", ({ message }) => message?.["eventType"] === "close_event");
    socket.close();
    expect((await person.get("/profile/wallet", { accept: "text/html" })).status).toBe(200);
    expect(await listDifferences(deps.pool.db)).toEqual([]);
  },
  SLOW_MS,
);
