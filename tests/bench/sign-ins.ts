import { startWebProcess } from "#tests/http/web-process.ts";
import { PASSWORD, Person } from "#tests/people/users/person.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { giveRealPassword } from "./give-real-password.ts";
import { atMost } from "./goal.ts";
import { median, quantile } from "./numbers.ts";
import { show, showRatio, type Table } from "./table.ts";

const ROUNDS = 8;
const AT_ONCE = 50;
/** Between page requests, also while earlier responses are pending. Waiting for them would hide a queue. */
const PAGE_EVERY_MS = 50;
const PAGES_PER_ROUND = 40;
const WARM_UP_PAGES = 100;

type Reader = { origin: string; headers: Record<string, string> };

/**
 * Measures pages while 50 people sign in at the same time. The baseline is the same pages in the same process without
 * sign-ins, in alternating rounds. Two passwords are hashed at a time, which leaves CPU time for other requests.
 */
export async function benchSignIns(): Promise<Table> {
  const deps = await openBenchDeps();
  const web = await startWebProcess(deps);
  try {
    const emails = await buildPeople(deps);
    const headers = await signInDirectly(deps, await buildPlayer(deps));
    const reader = { origin: web.origin, headers };
    await read(reader, WARM_UP_PAGES);
    const [quiet, busy, signInsMs]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      quiet.push(...(await read(reader, PAGES_PER_ROUND)));
      const [pagesMs, tookMs] = await Promise.all([
        read(reader, PAGES_PER_ROUND),
        signInAll(web.origin, emails),
      ]);
      busy.push(...pagesMs);
      signInsMs.push(tookMs);
    }
    const p99 = { quiet: quantile(quiet, 0.99), busy: quantile(busy, 0.99) };
    return {
      title: `sign-ins: pages per ${PAGE_EVERY_MS} ms while ${AT_ONCE} people sign in at once`,
      rows: [
        ["pages", "p50 ms", "p99 ms", "ratio"],
        ["no sign-ins", show(median(quiet)), show(p99.quiet), showRatio(1)],
        [`${AT_ONCE} sign-ins`, show(median(busy)), show(p99.busy), showRatio(p99.busy / p99.quiet)],
      ],
      goals: [
        atMost(2, { what: "p99 of pages while people sign in", measured: p99.busy / p99.quiet, unit: "x" }),
      ],
      notes: [`All ${AT_ONCE} were signed in after ${show(median(signInsMs))} ms (median of ${ROUNDS}).`],
    };
  } finally {
    await web.stop();
    await deps.close();
  }
}

async function buildPeople(deps: BenchDeps): Promise<string[]> {
  const emails: string[] = [];
  for (let count = 0; count < AT_ONCE; count += 1) {
    const user = await buildPlayer(deps);
    await giveRealPassword(deps, user.id);
    emails.push(String(user.email));
  }
  return emails;
}

/** Requests pages at a steady rate. @returns how long each took, in milliseconds. */
async function read(reader: Reader, pages: number): Promise<number[]> {
  const startedAt = performance.now();
  const durations = Array.from({ length: pages }, async (_, index) => {
    await Bun.sleep(Math.max(0, startedAt + index * PAGE_EVERY_MS - performance.now()));
    return timePage(reader);
  });
  return Promise.all(durations);
}

async function timePage({ origin, headers }: Reader): Promise<number> {
  const sentAt = performance.now();
  const response = await fetch(`${origin}/sessions`, {
    headers: { ...headers, accept: "text/html" },
    redirect: "manual",
  });
  await response.text();
  if (response.status !== 200) throw new Error(`the page was not answered: ${response.status}`);
  return performance.now() - sentAt;
}

/** Signs all people in at the same time. @returns the milliseconds until the last one was signed in. */
async function signInAll(origin: string, emails: readonly string[]): Promise<number> {
  const people = await Promise.all(
    emails.map(async (email) => {
      const person = new Person({ handle: (request) => fetch(request) }, origin);
      await person.get("/api/v1/users/me");
      return { person, email };
    }),
  );
  const startedAt = performance.now();
  await Promise.all(
    people.map(async ({ person, email }) => {
      const response = await person.signIn(email, PASSWORD);
      if (response.status !== 200) throw new Error(`a sign-in failed: ${response.status}`);
    }),
  );
  return performance.now() - startedAt;
}
