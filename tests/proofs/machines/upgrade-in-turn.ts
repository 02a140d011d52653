import path from "node:path";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { openBenchDeps } from "#tests/bench/bench-deps.ts";
import { startProcess, untilUp, variablesOf } from "#tests/bench/start-web.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { type Host, openHost, startShow } from "#tests/other-browsers/own-show.ts";
import { Person } from "#tests/people/users/person.ts";
import { figure } from "#tests/prove/figure.ts";
import { readLastContract } from "#tests/upgrade/contract.ts";
import { takeRelease } from "#tests/upgrade/take-release.ts";
import { Load, type LoadReport, type Show } from "../load.ts";
import { enterOwnNetwork } from "./own-network.ts";

// bun tests/proofs/machines/upgrade-in-turn.ts [commit]: upgrades the last release to this one under load. The last release is taken from the
// history, by the commit in db/releases or the given one. Its processes serve; the database is migrated; this release's processes start on the same port; the former
// ones are stopped. Ends with 1 if a call or a message is lost, or a request is answered with an error but 503.
const ANSWERED_MORE = 300;
const ROOT = path.join(import.meta.dir, "../../..");

// Within a network of its own, because connections must move between the processes of a port.
await enterOwnNetwork();

const commit = process.argv[2] ?? readLastContract().commit;
const { folder: last, remove } = await takeRelease(commit);
const deps = await openBenchDeps({ migrated: false });
const port = String(freePort());
const origin = `http://127.0.0.1:${port}`;
const variables = {
  ...variablesOf(deps),
  MIGRATE_DATABASE_URL: deps.env.ownerDatabaseUrl,
  PORT: port,
  NODE_ENV: "development",
  LOG_LEVEL: "fatal",
  RATE_LIMITS: "off",
  WEB_CONCURRENCY: "2",
  // As in production: no connection is closed that has not been told.
  DRAIN_SECONDS: "1",
};

try {
  await run(ROOT, "client/build/build.ts");
  await run(last, "src/run/migrate.ts");
  await run(last, "jobs/demo/seed.ts");
  const start = (cwd: string) =>
    ["src/main.ts", "src/main.ts", "jobs/main.ts"].map((file) => startProcess(deps, file, variables, cwd));
  const former = start(last);
  await Promise.all(former.slice(0, 2).map(({ ready }) => ready));
  await untilUp(origin);
  const show = await openShow(await openHost(origin));
  const load = await Load.start(deps, { origin, show, sockets: 20, pauseMs: 10, readsBooks: false });
  await load.untilMoreIsAnswered(ANSWERED_MORE);
  const startedAt = performance.now();
  await run(ROOT, "src/run/migrate.ts");
  print(`migrated in ${Math.round(performance.now() - startedAt)} ms`);
  await load.untilMoreIsAnswered(ANSWERED_MORE);
  const next = start(ROOT);
  await Promise.all(next.slice(0, 2).map(({ ready }) => ready));
  for (const each of former) await each.stop();
  await load.untilMoreIsAnswered(ANSWERED_MORE);
  const report = await load.stop();
  print(JSON.stringify(report, null, 2));
  figure(describe(report));
  for (const each of next) await each.stop();
  // Ends with an error if they do not agree.
  await run(ROOT, "src/run/reconcile.ts");
  process.exitCode = lostNothing(report) ? 0 : 1;
} finally {
  await deps.close();
  remove();
}
process.exit();

function lostNothing({ others, lost, unknown, messages }: LoadReport): boolean {
  const ofMessages = messages.missed + messages.doubled + messages.rejected;
  return (
    lost.length + unknown.length + ofMessages === 0 && Object.keys(others).every((what) => what === "503")
  );
}

/** A show by the API of the last release: this release's builders write to this release's tables. */
async function openShow(host: Host): Promise<Show> {
  const { session, event } = await startShow(host);
  const [one, other] = event.spots.map(({ id }) => id);
  if (one === undefined || other === undefined) throw new Error("The event has no two sides.");
  return {
    id: session.id,
    slug: session.slug,
    eventId: event.id,
    spotIds: [one, other],
    signIn: signInGuest,
  };
}

async function signInGuest(): Promise<Record<string, string>> {
  const guest = new Person({ handle: (request) => fetch(request) }, origin);
  await guest.get("/api/v1/users/me");
  const { status } = await guest.send("POST", "/users/guest", { headers: { origin } });
  if (status !== 201) throw new Error(`POST /users/guest answered ${status}.`);
  const cookie = [...guest.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { cookie, [CSRF_HEADER]: guest.token };
}

function describe({ answered, others, longestGapMs, acknowledged, lost, messages }: LoadReport): string {
  const met = Object.entries(others).map(([what, count]) => `${count} x ${what}`);
  return [
    `from commit ${commit.slice(0, 8)}`,
    `${answered} answered, other answers ${met.join(", ") || "none"}, at most ${longestGapMs} ms without an answer`,
    `${acknowledged} calls, ${lost.length} lost`,
    `${messages.messages} messages, ${messages.missed} missed`,
  ].join("; ");
}

async function run(cwd: string, file: string): Promise<void> {
  const child = Bun.spawn([process.execPath, file], {
    cwd,
    env: variables,
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error(`${file} of ${cwd} failed`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
