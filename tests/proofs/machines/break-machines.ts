import { connect } from "#db/client.ts";
import { readEnv } from "#src/settings/env.ts";
import { connectDeps } from "#tests/support/connect-deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { countOf, kinds, Load, type LoadReport, openShow } from "../load.ts";
import type { Machines } from "./start-machines.ts";

const CALM_MS = 5_000;
const BACK_WITHIN_MS = 30_000;
/** Any key names a master. */
const ANY_KEY = "outbox";

/**
 * What one fault did: the answers that were no success, and how many seconds passed until the first page, call and message that began
 * after it, and until the last answer that was no success.
 */
export type Fault = { killed: string; others: Record<string, number>; afterS: Record<Awaited, number> };
type Awaited = (typeof kinds)[number] | "last refusal";
export type Broken = { faults: Fault[]; report: LoadReport };

/** Kills parts of the machines one after the other, under load. */
export async function breakMachines(machines: Machines): Promise<Broken> {
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
    {
      withinMs: BACK_WITHIN_MS,
    },
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
