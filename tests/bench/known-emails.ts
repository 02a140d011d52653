import { sql } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { Person } from "#tests/people/users/person.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { giveRealPassword } from "./give-real-password.ts";
import { atLeast, atMost, type Goal } from "./goal.ts";
import { median } from "./numbers.ts";
import { show, showRatio, type Table } from "./table.ts";

const TIMES = 50;
const WARM_UP_TIMES = 5;
/** Two medians of the same differ by so much. */
const NOISE = 0.1;

/** A request about an email address. */
type EmailRequest = (person: Person, email: string) => Promise<Response>;

const emailRequests: Record<string, EmailRequest> = {
  "wrong password": (person, email) => person.signIn(email, "not the password"),
  "password reset": postTo("/users/password"),
  "unlock mail": postTo("/users/unlock"),
  "confirmation mail": postTo("/users/confirmation"),
};

/** Measures the response times for a known and an unknown email address, alternately. */
export async function benchKnownEmails(): Promise<Table> {
  const deps = await openBenchDeps();
  try {
    const rows: string[][] = [];
    const goals: Goal[] = [];
    for (const [name, request] of Object.entries(emailRequests)) {
      const { known, unknown } = await compare(deps, request);
      const medians = [median(known), median(unknown)] as const;
      const figure = { measured: medians[1] / medians[0], unit: "x" } as const;
      rows.push([name, ...medians.map(show), showRatio(figure.measured)]);
      goals.push(
        atLeast(1 - NOISE, { what: `${name}: unknown to known, least`, ...figure }),
        atMost(1 + NOISE, { what: `${name}: unknown to known, most`, ...figure }),
      );
    }
    return {
      title: `known-emails: response times in ms, medians of ${TIMES} alternating requests`,
      rows: [["request", "known", "unknown", "ratio"], ...rows],
      goals,
      notes: ["No difference above noise."],
    };
  } finally {
    await deps.close();
  }
}

async function compare(
  deps: BenchDeps,
  request: EmailRequest,
): Promise<{ known: number[]; unknown: number[] }> {
  const email = await buildUnconfirmedUser(deps);
  const person = new Person(createServer(deps));
  await person.get("/api/v1/users/me");
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let time = -WARM_UP_TIMES; time < TIMES; time += 1) {
    const both = [
      async () => known.push(await timeRequest(() => request(person, email))),
      async () => unknown.push(await timeRequest(() => request(person, `nobody-${time}@example.test`))),
    ];
    // Alternates the order, so that neither email is always second.
    for (const one of time % 2 === 0 ? both : both.toReversed()) await one();
    // A locked account would get another response.
    await deps.pool.db.update(users).set({ failedAttempts: 0 });
  }
  return { known: known.slice(WARM_UP_TIMES), unknown: unknown.slice(WARM_UP_TIMES) };
}

async function buildUnconfirmedUser(deps: BenchDeps): Promise<string> {
  const user = await buildPlayer(deps);
  await giveRealPassword(deps, user.id);
  await deps.pool.db
    .update(users)
    .set({ confirmedAt: null, confirmBy: sql`clock_timestamp() + interval '1 day'` });
  return String(user.email);
}

function postTo(path: string): EmailRequest {
  return (person, email) => person.send("POST", path, { body: { user: { email } } });
}

/** @returns the time until the whole response has arrived, in milliseconds. */
async function timeRequest(send: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now();
  const response = await send();
  await response.text();
  return performance.now() - startedAt;
}
