import { expect, test } from "bun:test";
import * as v from "valibot";
import { operationsAnswer } from "#src/operate/operations/schemas.ts";
import { alertFires } from "#tests/proofs/operate/metrics/firing-alerts.ts";
import { figure } from "#tests/prove/figure.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { faults } from "./faults.ts";
import type { Fault } from "./plant.ts";
import { serverFaults } from "./server-faults.ts";
import { observer, scrapeTwice, startWholeProduct } from "./whole-product.ts";

// Whatever goes wrong: the log, the operators' home and /ready tell it within seconds, with what to do, an alert fires, and after the cure
// all is well within seconds, with what has waited. The table of all faults is in PROOF.md.
const FIRES_WITHIN_MS = 80_000;
/** Within 5 s on a machine that does nothing else. */
const TOLD_WITHIN_MS = 20_000;
const WELL_WITHIN_MS = 60_000;

const product = await startWholeProduct();
const folder = makeFileFolder();

const { admin } = product;
const { origin } = product.web;

const told = v.array(v.object({ what: v.string(), cure: v.string(), detail: v.optional(v.string()) }));
const readiness = v.object({ unready: told, degraded: told });
const readReady = async () => {
  const answer = await fetch(`${origin}/ready`, { headers: observer });
  const { unready, degraded } = v.parse(readiness, await answer.json());
  return [...unready, ...degraded];
};
/** The parts that are wrong, without what follows from them. */
const partsAtReady = async () => new Set((await readReady()).map(({ what }) => what.split(" ")[0] ?? ""));
const readHome = async () => {
  const answer = await admin("GET", "/api/v1/operations");
  return answer.ok ? v.parse(operationsAnswer, await answer.json()).operations : null;
};
const troubles = async () => (await readHome())?.troubles ?? [];
/** What the processes log from now on. */
function listen(): () => string {
  const started = [product.web, product.otherWeb, product.worker()].map((part) => ({
    part,
    length: part.printed().length,
  }));
  return () => started.map(({ part, length }) => part.printed().slice(length)).join("\n");
}

const cureAtHome = async (part: string) => (await troubles()).find((trouble) => trouble.part === part)?.cure;

/** Begins faults, and ends them in any case: the next ones begin where all is well. */
async function whileWrong<Result>(together: readonly Fault[], work: () => Promise<Result>): Promise<Result> {
  try {
    for (const { begin } of together) await begin(product);
    return await work();
  } finally {
    for (const { end } of together) await end(product);
  }
}

/** The servers of others go wrong together, each with an alert of its own: one is told beside the others. */
const byAlert = [...Map.groupBy(serverFaults, ({ alert }) => alert).values()];
const rounds: readonly (readonly Fault[])[] = [
  ...faults.filter((fault) => !serverFaults.includes(fault)).map((fault) => [fault]),
  ...Array.from({ length: Math.max(...byAlert.map(({ length }) => length)) }, (_, round) =>
    byAlert.flatMap((ofAlert) => ofAlert[round] ?? []),
  ),
];

const isFirstOfAlert = (fault: Fault) => faults.find(({ alert }) => alert === fault.alert) === fault;

/** What was wrong at the last look. */
let wrong = "";
const isWell = async (): Promise<boolean> => {
  const [ready, home] = await Promise.all([readReady(), readHome()]);
  const faults = ready.map(({ what, detail }) => `${what} (${detail})`);
  wrong = [...faults, home === null ? "no home" : ""].join(" ").trim();
  return wrong === "" && home?.troubles?.length === 0;
};
/** Waits until all is well; otherwise says what is wrong. */
const untilWell = (withinMs: number) =>
  waitFor("all to be well", isWell, { withinMs }).catch(() => {
    throw new Error(`All is not well: ${wrong}`);
  });

/** Measures how long it takes until each of these is so, all from now on. */
async function secondsUntil(
  all: Readonly<Record<string, () => Promise<boolean> | boolean>>,
  withinMs: number,
): Promise<Map<string, number>> {
  const startedAtMs = performance.now();
  const measured = Object.entries(all).map(async ([name, isSo]) => {
    await waitFor(name, async () => isSo(), { withinMs });
    return [name, (performance.now() - startedAtMs) / 1_000] as const;
  });
  return new Map(await Promise.all(measured));
}

const shown = (seconds: Map<string, number>) =>
  [...seconds].map(([name, s]) => `${name} ${s.toFixed(1)} s`).join(", ");

test("where all is well no alert of a fault fires", async () => {
  await untilWell(WELL_WITHIN_MS);
  const alerts = new Set(faults.map(({ alert }) => alert));
  expect(await alertFires(folder, await scrapeTwice(product), ...alerts)).toBe(false);
});

test.each(rounds.map((together) => [together.map(({ name }) => name).join(", "), together] as const))(
  "%s: it is told with its cure, its alert fires, and after the cure all is well",
  async (_, together) => {
    await untilWell(WELL_WITHIN_MS);
    const heard = listen();
    const told = await whileWrong(together, async () => {
      const all = await Promise.all(together.map((fault) => untilTold(fault, heard)));
      // Nothing that is false, and nothing that only follows, stands beside them.
      const parts = new Set<string>(together.map(({ part }) => part));
      await untilPasses(async () => expect(await partsAtReady()).toEqual(parts));
      // The first fault of an alert shows that it fires.
      await waitForAlerts(together.filter(isFirstOfAlert).map(({ alert }) => alert));
      return all;
    });
    const caughtUp = together.map(({ name, caughtUp: isDone = () => true }) => {
      return [`${name} caught up`, () => isDone(product)] as const;
    });
    const well = await secondsUntil({ well: isWell, ...Object.fromEntries(caughtUp) }, WELL_WITHIN_MS);
    for (const [index, { name }] of together.entries())
      figure(`${name}: told by ${told[index]}; after its end ${shown(well)}`);
  },
);

/** Waits until the log, /ready and the home tell a fault with its cure. @returns how soon. */
async function untilTold({ part, said, withoutHome = false }: Fault, heard: () => string): Promise<string> {
  const logged = () =>
    heard()
      .split("\n")
      .find((line) => said.test(line));
  const seconds = await secondsUntil(
    {
      log: () => logged() !== undefined,
      "/ready": async () => (await partsAtReady()).has(part),
      ...(withoutHome ? {} : { home: async () => (await cureAtHome(part)) !== undefined }),
    },
    TOLD_WITHIN_MS,
  );
  const cure = withoutHome ? logged() : await cureAtHome(part);
  expect((cure ?? "").length).toBeGreaterThan(20);
  return shown(seconds);
}

/** What grows has to grow for some seconds. */
const waitForAlerts = async (alerts: readonly string[]) => {
  if (alerts.length === 0) return;
  await waitFor(
    `the alerts ${alerts.join(", ")}`,
    async () => {
      const scrapes = await scrapeTwice(product);
      const firing = await Promise.all(alerts.map((alert) => alertFires(folder, scrapes, alert)));
      return firing.every(Boolean);
    },
    { withinMs: FIRES_WITHIN_MS },
  );
};
