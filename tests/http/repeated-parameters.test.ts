import { expect, test } from "bun:test";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { snakeCase } from "#src/http/contract.ts";
import { pageQuery } from "#src/http/schemas.ts";
import { openFixture } from "#tests/api/fixture.ts";
import { happy as happyOf } from "#tests/api/happy.ts";
import { buildRequest, sendRequest } from "#tests/api/send-request.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { pageAccess } from "./page-access.ts";

// Of a parameter that is given twice one reader takes the first and another one the last, so that what is checked is not what is done.

const fixture = await openFixture({ RATE_LIMITS: "off" });
afterFile(() => fixture.deps.close());

/** The names of an endpoint's parameters. One that has none may get some all the same. */
const namesOf = (query: object = {}, paged = false) => [
  ...Object.keys(query),
  ...(paged ? Object.keys(pageQuery.entries) : []),
  "anything",
];

test("an endpoint refuses each parameter that is given twice, in whatever spelling, and nothing changes", async () => {
  const asked: [endpoint: NamedEndpoint, request: Request][] = [];
  for (const named of allEndpoints) {
    const happy = await happyOf[named.name]?.(fixture);
    if (happy !== undefined) asked.push([named, buildRequest(named.endpoint, { ...happy, query: {} })]);
  }
  const before = await digestTables(fixture.deps.pool.db);
  for (const [{ name, endpoint }, request] of asked)
    for (const key of namesOf(endpoint.query, endpoint.paged))
      for (const twice of [`${key}=1&${key}=1`, `${key}=1&x=1&${snakeCase(key)}=2`, `${key}&${key}`]) {
        const { status } = await sendRequest(
          fixture.server,
          new Request(`${request.url}?${twice}`, request.clone()),
        );
        expect([name, twice, status]).toEqual([name, twice, 400]);
      }
  expect(await digestTables(fixture.deps.pool.db)).toBe(before);
});

test("so does each page", async () => {
  for (const line of Object.keys(pageAccess)) {
    const [method = "", path = ""] = line.split(" ");
    const address = `http://localhost:3000${path.replaceAll(/:\w+/g, "1")}?page=1&page=2`;
    const own = { ...fixture.admin.browser.credentials(), accept: "text/html" };
    const { status } = await sendRequest(fixture.server, new Request(address, { method, headers: own }));
    expect([line, status]).toEqual([line, 400]);
  }
});

test("parameters of different names, and an empty one, are read", async () => {
  const { browser } = fixture.admin;
  for (const search of ["page=1&per_page=2", "&page=1&", "a[]=1&a=2", "page=1&x=1&y=1&z=1"])
    expect([search, (await browser.get(`/api/v1/events?${search}`)).status]).toEqual([search, 200]);
});
