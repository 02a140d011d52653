import { expect, test } from "bun:test";
import path from "node:path";
import { buildDueEvent, delayDue } from "#tests/jobs/due-events.ts";
import { alertFires } from "#tests/proofs/operate/metrics/firing-alerts.ts";
import { figure } from "#tests/prove/figure.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";
import { buildCall, buildEvent, buildPlayer, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { breakTable, repairTable, writeMessages } from "./plant.ts";
import { scrapeTwice, startWholeProduct, type WholeProduct } from "./whole-product.ts";

// The alerts that night.proof.ts does not fire, each by a fault that it is for: on what the processes then serve, and not on what they
// serve before. BooksDiffer, BooksUnchecked and QueueStuck are in operate/metrics/alert-rules.proof.ts.
const FIRES_WITHIN_MS = 120_000;

type Cause = {
  alerts: readonly string[];
  name: string;
  begin?: (product: WholeProduct) => unknown;
  /** What goes on meanwhile, again and again. */
  during?: (product: WholeProduct) => Promise<unknown>;
  end: (product: WholeProduct) => unknown;
};

const product = await startWholeProduct({
  PLACING_QUEUE_MAX: "4",
  BUN_OPTIONS: `--preload ${path.join(import.meta.dir, "leak.ts")}`,
});
const { deps, admin, web } = product;
const folder = makeFileFolder();

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)));

/** They are open for as long as they can be: longer than all alerts take. */
const openMany = (length: number) =>
  Promise.all(Array.from({ length }, () => buildEvent(deps, "open", { durationSeconds: 1_800 })));
const events = await openMany(60);
/** A host describes them all at once, each in a transaction of its own. */
const describeAll = () =>
  times(events.length, (index) =>
    admin("PATCH", `/api/v1/events/${events[index]?.id}`, { event: { description: "Without overtime" } }),
  );

const players = await Promise.all(
  Array.from({ length: 20 }, async () => signInDirectly(deps, await buildPlayer(deps))),
);
const visit = async (target: string) => {
  const headers = { ...players[0], accept: "text/html" };
  await (await fetch(`${web.origin}${target}`, { headers })).arrayBuffer();
};
const { true: spot } = await readSpots(deps, events[0]?.id ?? 0);
const callAll = () =>
  times(players.length, async (index) => {
    const headers = { ...players[index], "content-type": "application/json", origin: web.origin };
    const body = JSON.stringify({ call: { spotId: spot.id, wager: 1 } });
    await fetch(`${web.origin}/api/v1/calls`, { method: "POST", headers, body });
  });

/** A machine that gives its processes no CPU for most of the time. */
const STOPPED_MS = 2_500;
const RUNS_MS = 1_000;
let throttling: Timer | undefined;
const throttle = () => {
  const pids = [web.pid, product.otherWeb.pid, product.worker().pid];
  const signal = (name: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, name));
  throttling = setInterval(() => {
    signal("SIGSTOP");
    setTimeout(() => signal("SIGCONT"), STOPPED_MS);
  }, STOPPED_MS + RUNS_MS);
};
const letRun = async () => {
  clearInterval(throttling);
  await Bun.sleep(STOPPED_MS + RUNS_MS);
};

/** Events of which one after the other closes soon. */
const SOON_MS = 300;
const late = await openMany(250);

const signalRedis = ({ redis }: WholeProduct, signal: NodeJS.Signals) => process.kill(redis.pid, signal);
const SLOW_MS = 800;
const slowDatabase = {
  begin: ({ database }: WholeProduct) => database.delay(SLOW_MS),
  end: ({ database }: WholeProduct) => database.delay(0),
};

const causes: readonly Cause[] = [
  {
    alerts: ["RowsFail"],
    name: "an action cannot close",
    begin: async (all) => {
      const { id } = await buildDueEvent(deps, -1_000);
      await breakTable(all, "events", { condition: `OLD.id = ${id}` });
    },
    end: (all) => repairTable(all, "events"),
  },
  {
    alerts: ["JobsFailed"],
    name: "a table refuses what a job writes",
    begin: (all) => breakTable(all, "webhook_deliveries"),
    during: writeMessages,
    end: (all) => repairTable(all, "webhook_deliveries"),
  },
  {
    alerts: ["TimersSlow", "EventLoopBlocked"],
    name: "the processes get no CPU for seconds",
    begin: throttle,
    during: async () => {
      const event = late.pop();
      if (event !== undefined) await delayDue(deps, event.id, SOON_MS);
    },
    end: letRun,
  },
  {
    alerts: ["FeedBehind", "LocksDegraded"],
    name: "Redis is stopped while a host works and something happens",
    begin: async (all) => {
      signalRedis(all, "SIGSTOP");
      await buildCall(deps, {
        userId: (await buildPlayer(deps)).id,
        eventId: (await buildEvent(deps, "open")).id,
      });
    },
    during: describeAll,
    end: (all) => signalRedis(all, "SIGCONT"),
  },
  {
    alerts: ["ErrorsAnswered"],
    name: "Postgres is silent while people come",
    begin: ({ database }) => database.freeze(),
    during: () => times(10, () => visit("/sessions")),
    end: ({ database }) => database.thaw(),
  },
  {
    alerts: ["CallsTurnedAway", "PagesSlow"],
    name: "pages and more calls are asked for than a slow Postgres can take",
    begin: slowDatabase.begin,
    during: () => Promise.all([callAll(), times(5, () => visit("/sessions"))]),
    end: slowDatabase.end,
  },
  {
    alerts: ["PoolExhausted"],
    name: "Postgres is slow while much is asked",
    begin: slowDatabase.begin,
    during: describeAll,
    end: slowDatabase.end,
  },
  {
    alerts: ["MemoryGrows"],
    name: "a process keeps what it needs no more",
    begin: ({ worker }) => process.kill(worker().pid, "SIGWINCH"),
    end: async (all) => {
      await all.worker().kill();
      await all.startWorker();
    },
  },
  {
    alerts: ["ProcessSilent"],
    name: "a process is frozen, and nothing ends it",
    begin: ({ otherWeb }) => process.kill(otherWeb.pid, "SIGSTOP"),
    end: ({ otherWeb }) => process.kill(otherWeb.pid, "SIGCONT"),
  },
  {
    alerts: ["ProcessMissing"],
    name: "a process is killed",
    begin: ({ worker }) => worker().kill(),
    end: ({ startWorker }) => startWorker(),
  },
];

const fires = async (...alerts: string[]) => alertFires(folder, await scrapeTwice(product), ...alerts);
/** Whatever fires later fires for its own cause. */
const untilSilent = () =>
  waitFor("the alerts to be silent", async () => !(await fires(...causes.flatMap(({ alerts }) => alerts))), {
    withinMs: FIRES_WITHIN_MS,
  });
await untilSilent();

test.each([...causes])("$alerts fire where $name", async ({ alerts, name, begin, during, end }) => {
  await begin?.(product);
  let isOver = false;
  const isRunning = () => !isOver;
  const goesOn = (async () => {
    while (isRunning()) await Promise.all([during?.(product), Bun.sleep(500)]);
  })();
  try {
    // Also an error of what goes on ends the wait.
    const all = async () => {
      for (const alert of alerts) await waitFor(alert, () => fires(alert), { withinMs: FIRES_WITHIN_MS });
    };
    await Promise.race([goesOn, all()]);
  } finally {
    isOver = true;
    await end(product);
    await goesOn;
  }
  await untilSilent();
  figure(`${alerts.join(", ")}: fired because ${name}, and silent again after its end`);
  expect(product.worker().pid).toBeGreaterThan(0);
});
