import { expect, test } from "bun:test";
import { schedule } from "#jobs/schedule.ts";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { sealNewJournals } from "#src/books/seal-new-journals.ts";
import { ownVariables } from "#src/settings/env.ts";
import { openFixture } from "#tests/api/fixture.ts";
import { happy } from "#tests/api/happy.ts";
import { buildRequest, sendRequest } from "#tests/api/send-request.ts";
import { buildWorld, pathIn } from "#tests/http/access-world.ts";
import { pageAccess } from "#tests/http/page-access.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { asApplication } from "#tests/support/application.ts";
import { listDifferences } from "#tests/support/books.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { recordContract } from "#tests/upgrade/record-contract.ts";
import { type Filled, fillGrowth } from "./fill-growth.ts";
import { fillRecords } from "./fill-records.ts";
import { logPlans, openPlanLog, type Read } from "./read-plans.ts";

/**
 * Every request, page and periodic task runs in a world whose tables have 1,200 rows or more. Postgres reports what each statement
 * has read, also inside of functions. A statement that reads more rows of a table than ROWS_MAX reads all of it, or will.
 */
const SHAPE = { users: 3_000, sessions: 1_200, eventsPerSession: 2, callsPerEvent: 12, grants: 2 };
/** A task deletes in batches of this many rows. */
const ROWS_MAX = 1_000;
const ORIGIN = "http://localhost:3000";

/** Endpoints and tasks that read all rows of a kind on purpose. */
const readsAll: Record<string, string> = {
  announce: "writes to all players",
  checkBooks: "proves all of the books",
  "check the books": "proves all of the books, for at most a twentieth of the time",
  recomputeScores: "computes all scores again, for an admin",
};
/** Statements whose reads have another bound than the size of the table. */
const bounded: { table: string; statement: RegExp; bound: string }[] = [
  {
    table: "users",
    statement: /^WITH found AS MATERIALIZED/,
    bound: "a common text is found in the order of the users, until there are enough",
  },
  { table: "scores", statement: /WITH last AS/, bound: "a ranking is read once per change and process" },
  { table: "sessions", statement: /count\(\*\)/, bound: "what hosts have created" },
  {
    table: "webhook_deliveries",
    statement: /count\(\*\)/,
    bound: "what is kept of one webhook, by its index",
  },
  { table: "journal", statement: /range_agg/, bound: "what was booked in the last ten minutes" },
  { table: "audit", statement: /range_agg/, bound: "what was audited in the last ten minutes" },
];

const isTooMuch = ({ table, rows, statement }: Read) =>
  rows > ROWS_MAX && !bounded.some((each) => each.table === table && each.statement.test(statement));

const worlds: Filled[] = [];
const fixture = await openFixture({}, async (deps) => {
  const filled = await fillGrowth(deps, SHAPE);
  await fillRecords(deps, filled);
  await sealNewJournals(deps);
  worlds.push(filled);
  await logPlans(deps.pool);
});
/** `RECORD_RELEASE=on`: what this release uses of its database is written to db/releases, for the next one. */
const { RECORD_RELEASE } = ownVariables();
afterFile(async () => {
  if (RECORD_RELEASE !== undefined) await recordContract(fixture.deps, log.statements);
  expect(await listDifferences(fixture.deps.pool.db)).toEqual([]);
  await fixture.deps.close();
});
const asServed = asApplication(fixture.deps);
const world = await buildWorld(fixture.deps);
const log = await openPlanLog();

/** The statements that have read too much since the last look, one line each. */
const tooMuch = (): string[] => [
  ...new Set(
    log
      .readNew()
      .filter(isTooMuch)
      .map(({ table, rows, by, statement }) => `${rows} rows of ${table} by ${by}: ${statement}`),
  ),
];

test("a statement that reads a whole table is found, also if it reads an index", async () => {
  log.readNew();
  await asServed.pool.sql`SELECT count(*) FROM users`;
  await asServed.pool.sql`SELECT id FROM mails WHERE recipient LIKE ${"%@nowhere.test"}`;
  const [users, mails, ...others] = tooMuch();
  expect(users).toMatch(/^3\d\d\d rows of users by Index Only Scan: SELECT count/);
  expect(mails).toMatch(/^60\d\d rows of mails by Seq Scan: SELECT id FROM mails/);
  expect(others).toEqual([]);
});

for (const { name, endpoint } of allEndpoints) {
  if (name in readsAll) continue;
  test(`${name} reads no large part of a table`, async () => {
    const prepare = happy[name];
    if (prepare === undefined) throw new Error(`${name} has no happy request`);
    const request = buildRequest(endpoint, await prepare(fixture));
    log.readNew();
    const { status } = await sendRequest(fixture.server, request);
    expect({ status, tooMuch: tooMuch() }).toEqual({ status: endpoint.status ?? status, tooMuch: [] });
    expect(status).toBeLessThan(400);
  });
}

for (const key of Object.keys(pageAccess).filter((each) => each.startsWith("GET "))) {
  test(`${key} reads no large part of a table, for a player and for an admin`, async () => {
    for (const user of [world.users.player, world.users.admin]) {
      const credentials = await signInDirectly(fixture.deps, user);
      const headers = { accept: "text/html", cookie: credentials["cookie"] ?? "" };
      log.readNew();
      const answer = await fixture.server.handle(new Request(ORIGIN + pathIn(world, key, null), { headers }));
      await answer.text();
      expect(tooMuch()).toEqual([]);
    }
  });
}

for (const { name, run } of schedule) {
  if (name in readsAll) continue;
  test(`the task "${name}" reads no large part of a table`, async () => {
    log.readNew();
    await run(asServed);
    expect(tooMuch()).toEqual([]);
  });
}
