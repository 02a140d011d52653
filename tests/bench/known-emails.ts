import { sql } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { givePassword, Person } from "#tests/users/person.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { median } from "./numbers.ts";
import { show, showRatio, type Table } from "./table.ts";

const TIMES = 50;
const WARM_UP_TIMES = 5;

/** What is asked of the server for an email. */
type Ask = (person: Person, email: string) => Promise<Response>;

const asks: Record<string, Ask> = {
  "a wrong password": (person, email) => person.signIn(email, "not the password"),
  "a new password": askAt("/users/password"),
  "an unlocking": askAt("/users/unlock"),
  "a confirmation": askAt("/users/confirmation"),
};

/** How long the server takes to answer for an email that somebody has, and for one that nobody has, in turns. */
export async function benchKnownEmails(): Promise<Table> {
  const stand = await openBenchDeps();
  try {
    const rows: string[][] = [];
    for (const [what, ask] of Object.entries(asks)) {
      const { known, unknown } = await compare(stand, ask);
      const medians = [median(known), median(unknown)] as const;
      rows.push([what, ...medians.map(show), showRatio(medians[1] / medians[0])]);
    }
    return {
      title: `known-emails: milliseconds to the answer, medians of ${TIMES} in turns`,
      rows: [["asked for", "known", "unknown", "ratio"], ...rows],
      notes: ["Goal: the same within noise."],
    };
  } finally {
    await stand.close();
  }
}

async function compare(stand: BenchDeps, ask: Ask): Promise<{ known: number[]; unknown: number[] }> {
  const email = await buildSomebody(stand);
  const person = new Person(createServer(stand));
  await person.get("/api/v1/users/me");
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let time = -WARM_UP_TIMES; time < TIMES; time += 1) {
    const both = [
      async () => known.push(await timed(() => ask(person, email))),
      async () => unknown.push(await timed(() => ask(person, `nobody-${time}@example.test`))),
    ];
    // Neither is always the second.
    for (const one of time % 2 === 0 ? both : both.toReversed()) await one();
    // A locked account would be answered by another sentence.
    await stand.pool.db.update(users).set({ failedAttempts: 0 });
  }
  return { known: known.slice(WARM_UP_TIMES), unknown: unknown.slice(WARM_UP_TIMES) };
}

async function buildSomebody(stand: BenchDeps): Promise<string> {
  const user = await buildPlayer(stand);
  await givePassword(stand, user.id);
  await stand.pool.db
    .update(users)
    .set({ confirmedAt: null, confirmBy: sql`clock_timestamp() + interval '1 day'` });
  return String(user.email);
}

function askAt(path: string): Ask {
  return (person, email) => person.send("POST", path, { body: { user: { email } } });
}

async function timed(ask: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now();
  const response = await ask();
  await response.text();
  return performance.now() - startedAt;
}
