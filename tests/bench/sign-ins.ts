import { startWebProcess } from "#tests/http/web-process.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/visitor.ts";
import { givePassword, PASSWORD, Person } from "#tests/users/person.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { median, quantile } from "./numbers.ts";
import { show, showRatio, type Table } from "./table.ts";

const ROUNDS = 8;
const AT_ONCE = 50;
/** A reader asks for a page this often, whether or not the one before has come: waiting would hide a pile-up. */
const PAGE_EVERY_MS = 50;
const PAGES_A_ROUND = 40;
const WARM_UP_PAGES = 100;

type Reader = { origin: string; headers: Record<string, string> };

/**
 * How long pages take while 50 people sign in at the same moment, against the same pages in the same process with nobody
 * signing in, in turns. Passwords are hashed two at a time, so that the rest of the machine is left to everybody else.
 */
export async function benchSignIns(): Promise<Table> {
  const stand = await openBenchDeps();
  const web = await startWebProcess(stand);
  try {
    const emails = await buildPeople(stand);
    const headers = await signInDirectly(stand, await buildPlayer(stand));
    const reader = { origin: web.origin, headers };
    await read(reader, WARM_UP_PAGES);
    const [quiet, busy, signInsMs]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      quiet.push(...(await read(reader, PAGES_A_ROUND)));
      const [pagesMs, tookMs] = await Promise.all([
        read(reader, PAGES_A_ROUND),
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
        ["nobody signs in", show(median(quiet)), show(p99.quiet), showRatio(1)],
        [`${AT_ONCE} sign in`, show(median(busy)), show(p99.busy), showRatio(p99.busy / p99.quiet)],
      ],
      notes: [
        "Goal: the p99 at most 2 x.",
        `All ${AT_ONCE} were in after ${show(median(signInsMs))} ms (median of ${ROUNDS}).`,
      ],
    };
  } finally {
    await web.stop();
    await stand.close();
  }
}

async function buildPeople(stand: BenchDeps): Promise<string[]> {
  const emails: string[] = [];
  for (let count = 0; count < AT_ONCE; count += 1) {
    const user = await buildPlayer(stand);
    await givePassword(stand, user.id);
    emails.push(String(user.email));
  }
  return emails;
}

/** Asks for pages at a steady pace; answers how long each took, in milliseconds. */
async function read(reader: Reader, pages: number): Promise<number[]> {
  const startedAt = performance.now();
  const asked = Array.from({ length: pages }, async (_, index) => {
    await Bun.sleep(Math.max(0, startedAt + index * PAGE_EVERY_MS - performance.now()));
    return timePage(reader);
  });
  return Promise.all(asked);
}

async function timePage({ origin, headers }: Reader): Promise<number> {
  const askedAt = performance.now();
  const response = await fetch(`${origin}/sessions`, {
    headers: { ...headers, accept: "text/html" },
    redirect: "manual",
  });
  await response.text();
  if (response.status !== 200) throw new Error(`the page was not answered: ${response.status}`);
  return performance.now() - askedAt;
}

/** Signs everybody in at the same moment; answers after how many milliseconds the last was in. */
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
      if (response.status !== 200) throw new Error(`somebody could not sign in: ${response.status}`);
    }),
  );
  return performance.now() - startedAt;
}
