import { expect, test } from "bun:test";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { type Happy, openFixture } from "./fixture.ts";
import { happy as happyOf } from "./happy.ts";
import { buildRequest, sendRequest } from "./send-request.ts";

const UNKNOWN = 999_999_999;

const fixture = await openFixture();
afterFile(() => fixture.deps.close());

const namesUser = ({ endpoint: { path } }: NamedEndpoint) => path.startsWith("/api/v1/users/:id");
const filtersByUser = ({ endpoint: { query = {} } }: NamedEndpoint) => "userId" in query;

/** Sends the endpoint's happy request as an admin, with changes that name an unknown user. */
async function statusOf(named: NamedEndpoint, change: (happy: Happy) => Happy): Promise<number> {
  const prepare = happyOf[named.name];
  if (prepare === undefined) throw new Error(`${named.name} has no happy request`);
  const happy = { ...(await prepare(fixture)), browser: fixture.admin.browser };
  const before = await digestTables(fixture.deps.pool.db);
  const { status } = await sendRequest(fixture.server, buildRequest(named.endpoint, change(happy)));
  expect(await digestTables(fixture.deps.pool.db)).toBe(before);
  return status;
}

test.each(allEndpoints.filter(namesUser).map((named) => [named.name, named] as const))(
  "%s answers 404 to an admin who names an unknown user in the path",
  async (_, named) => {
    expect(await statusOf(named, (happy) => ({ ...happy, params: { id: UNKNOWN } }))).toBe(404);
  },
);

test.each(allEndpoints.filter(filtersByUser).map((named) => [named.name, named] as const))(
  "%s answers 404 to an admin who filters by an unknown user",
  async (_, named) => {
    expect(await statusOf(named, (happy) => ({ ...happy, query: { user_id: UNKNOWN } }))).toBe(404);
  },
);

test("these are the lists that can be filtered by user", () => {
  expect(allEndpoints.filter(filtersByUser).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["listTransactions", "exportTransactions", "listPayments", "listScores"]),
  );
});
