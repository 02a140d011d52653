import { mkdirSync } from "node:fs";
import path from "node:path";
import { connect } from "#db/client.ts";
import { ownVariables, readEnv } from "#src/settings/env.ts";
import { show } from "#tests/bench/table.ts";
import type { Product } from "#tests/browser/support/product.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import type { Certificate } from "#tests/proofs/engines/nginx.ts";
import { figure } from "#tests/prove/figure.ts";
import { connectDeps } from "#tests/support/connect-deps.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { countOf, kinds, Load, type LoadReport, openShow } from "../load.ts";
import { PRODUCT_VARIABLE } from "./name-product.ts";
import { type Machines, startMachines } from "./start-machines.ts";

// Started by machines.proof.ts, with the folder of a certificate.
const BACK_WITHIN_S = 30;

const CALM_MS = 5_000;
const BACK_WITHIN_MS = 30_000;
/** Any key names a master. */
const ANY_KEY = "outbox";

const [folder = ""] = process.argv.slice(2);
const certificate = { certificate: path.join(folder, "certificate.pem"), key: path.join(folder, "key.pem") };
const machines = await startMachines(certificate);
try {
  print(`The machines are at ${machines.url}`);
  const visited = await visitMachines(machines, certificate);
  const broken = await breakMachines(machines);
  for (const text of figuresOf(broken)) figure(text);
  const isRight = visited && isGood(broken);
  if (!isRight) print(JSON.stringify(broken, null, 2));
  process.exitCode = isRight ? 0 : 1;
} finally {
  await machines.stop();
}
process.exit();

function isGood({ faults, report }: Broken): boolean {
  const { messages, differences } = report;
  const lost =
    report.lost.length + report.unknown.length + messages.missed + messages.doubled + differences.length;
  const isBack = faults.every(({ afterS }) =>
    Object.values(afterS).every((seconds) => seconds < BACK_WITHIN_S),
  );
  return lost === 0 && isBack && Object.keys(report.others).every((what) => what === "503");
}

function figuresOf({ faults, report: { acknowledged, lost, messages } }: Broken): string[] {
  return [
    ...faults.map(({ killed, afterS }) => {
      const [page, call, message] = [afterS.page, afterS.call, afterS.message].map((seconds) =>
        seconds.toFixed(1),
      );
      return `after ${killed} a page ${page} s, a call ${call} s, a message ${message} s`;
    }),
    `${show(acknowledged)} calls, ${show(lost.length)} lost`,
    `${show(messages.messages)} messages, ${show(messages.missed)} missed`,
  ];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * What one fault did: the answers that were no success, and how many seconds passed until the first page, call and message that began
 * after it, and until the last answer that was no success.
 */
type Fault = { killed: string; others: Record<string, number>; afterS: Record<Awaited, number> };
type Awaited = (typeof kinds)[number] | "last refusal";
type Broken = { faults: Fault[]; report: LoadReport };

/** Kills parts of the machines one after the other, under load. */
async function breakMachines(machines: Machines): Promise<Broken> {
  const deps = await openDeps(machines);
  const people = { readers: 6, callers: 6, sockets: 50, pauseMs: 10, readsBooks: false };
  const load = await Load.start(deps, { origin: machines.url, show: await openShow(deps), ...people });
  const [web] = machines.webs;
  const [worker] = machines.workers;
  const kills: [string, () => unknown][] = [
    ["a web process", () => web?.restart()],
    ["a worker", () => worker?.restart()],
    ["a Redis master", () => machines.redis.killMaster(ANY_KEY)],
    ["the Postgres primary", () => failOver(machines)],
  ];
  const faults: Fault[] = [];
  for (const [killed, kill] of kills) {
    await Bun.sleep(CALM_MS);
    faults.push(await measure(load, killed, kill));
  }
  await Bun.sleep(CALM_MS);
  // The tests' own connections look for the new primary too.
  await waitFor("the database", () => deps.pool.sql`SELECT 1`.then(Boolean).catch(() => false), {
    withinMs: BACK_WITHIN_MS,
  });
  const report = await load.stop();
  await deps.close();
  await deps.pool.close();
  return { faults, report };
}

async function measure(load: Load, killed: string, kill: () => unknown): Promise<Fault> {
  const killedAtMs = performance.now();
  await kill();
  const killedInMs = performance.now() - killedAtMs;
  load.watch();
  await waitFor(
    `a page, a call and a message after ${killed} was killed`,
    () => kinds.every((kind) => load.first(kind) !== null),
    { withinMs: BACK_WITHIN_MS },
  );
  await Bun.sleep(CALM_MS);
  const since = load.met.filter(({ atMs }) => atMs >= killedAtMs);
  const afterS = (kind: (typeof kinds)[number]) => (killedInMs + (load.first(kind) ?? Infinity)) / 1_000;
  return {
    killed,
    others: countOf(since),
    afterS: {
      page: afterS("page"),
      call: afterS("call"),
      message: afterS("message"),
      "last refusal":
        ((since.findLast(({ status }) => status < 200 || status > 299)?.atMs ?? killedAtMs) - killedAtMs) /
        1_000,
    },
  };
}

/** What an operator's failover does: the primary is gone, and its replica takes over. */
async function failOver({ primary, replica }: Machines): Promise<void> {
  await primary.kill();
  await replica.run("SELECT pg_promote()");
}

async function openDeps({ variables, ownerDatabaseUrl }: Machines) {
  const env = readEnv({ ...variables, DATABASE_URL: `${ownerDatabaseUrl}?target_session_attrs=read-write` });
  return connectDeps(env, connect(env.databaseUrl, { silentAfterMs: env.databaseSilentMs }));
}

/** Runs the journeys through the machines, in a browser that trusts the certificate. @returns whether all have passed. */
async function visitMachines(
  machines: Machines,
  { certificate }: Pick<Certificate, "certificate">,
): Promise<boolean> {
  const { dataDir: home, remove } = makeDataFolder();
  trust(home, certificate);
  const { url, ownerDatabaseUrl, redis } = machines;
  const product: Product = { url, siteUrl: "", ownerDatabaseUrl, redisUrl: redis.url };
  const config = "--config=tests/proofs/machines/playwright.config.ts";
  const command = ["--bun", "node_modules/.bin/playwright", "test", config];
  const child = Bun.spawn([process.execPath, ...command], {
    env: { ...ownVariables(), HOME: home, [PRODUCT_VARIABLE]: JSON.stringify(product) },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const passed = (await child.exited) === 0;
  remove();
  return passed;
}

/** Chromium reads what its user trusts from the home folder. */
function trust(home: string, certificate: string): void {
  const database = path.join(home, ".pki/nssdb");
  mkdirSync(database, { recursive: true });
  const certutil = requireProgram("certutil", "libnss3-tools");
  for (const options of [
    ["-N", "--empty-password"],
    ["-A", "-t", "C,,", "-n", "Called It", "-i", certificate],
  ]) {
    const done = Bun.spawnSync([certutil, "-d", `sql:${database}`, ...options], { stderr: "pipe" });
    if (done.exitCode !== 0) throw new Error(done.stderr.toString());
  }
}
