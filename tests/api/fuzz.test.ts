import { expect, test } from "bun:test";
import type { JsonSchema } from "@valibot/to-json-schema";
import * as fc from "fast-check";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { bodySchema, valueSchema } from "#src/api/json-schemas.ts";
import { snakeCase } from "#src/http/contract.ts";
import { errorBody, pageQuery } from "#src/http/schemas.ts";
import { ownVariables } from "#src/settings/env.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signedInClient, type Answer, type TestClient } from "#tests/support/client.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { anything, mostlyValid } from "./arbitrary.ts";
import { openFixture, type Fixture } from "./fixture.ts";
import { happy } from "./happy.ts";
import { buildRequest, sendRequest } from "./send-request.ts";

type Generated = {
  named: NamedEndpoint;
  params: Record<string, string>;
  query: Record<string, string>;
  /** Of the body; undefined for none. */
  text: string | undefined;
};

/** A text as a part of a path, and a value as that of a parameter. */
const asPart = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E");
const asParameter = (value: unknown) =>
  typeof value === "string" ? value.toWellFormed() : JSON.stringify(value);

/**
 * Requests to an endpoint. Most are nearly valid, some are arbitrary.
 * @param ids ids of rows that may exist.
 * @param slugs texts that may name a resource.
 */
function requestsTo(
  named: NamedEndpoint,
  ids: readonly number[],
  slugs: readonly string[],
): fc.Arbitrary<Generated> {
  const { route, params = {}, query = {}, paged, body } = named.endpoint;
  const anId = fc.constantFrom(...ids.map(String), "0", "-1", "1e3", "999999999", "9007199254740993");
  const aText = fc.oneof(fc.constantFrom(...slugs), fc.string({ minLength: 1, maxLength: 30 }));
  const parts = [...route.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    return [name, (name in params ? aText : anId).map(asPart)] as const;
  });
  const values = Object.entries({ ...query, ...(paged === true ? pageQuery.entries : {}) }).map(
    ([name, entry]) => [snakeCase(name), mostlyValid(valueSchema(entry), ids)] as const,
  );
  return fc.record({
    named: fc.constant(named),
    params: fc.record(Object.fromEntries(parts)),
    query: fc
      .record(Object.fromEntries(values), { requiredKeys: [] })
      .map((all) =>
        Object.fromEntries(Object.entries(all).map(([name, value]) => [name, asParameter(value)])),
      ),
    text: body === undefined ? fc.constant(undefined) : bodies(bodySchema(body), ids),
  });
}

function bodies(schema: JsonSchema, ids: readonly number[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 20, arbitrary: mostlyValid(schema, ids).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: anything.map((body) => JSON.stringify(body)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("{", "[1", '{"a":1,"a":2}', "\u0000", '{"call":{"spot_id":1,"spotId":2}}'),
    },
  );
}

/** Always the same requests by default. `FUZZ_SEED=7 bun test tests/api/fuzz.test.ts` sends others. */
const { FUZZ_SEED = "2026" } = ownVariables();
const BUSY = 503;
const REQUESTS = roundsOf({ daily: 400, many: 10_000 });
/** Internals that belong only in the log: stack traces, files, SQL. */
const leak =
  /\bat .+:\d+:\d+|node_modules|\/src\/|\bselect .+ from\b|\binsert into\b|violates|syntax error|drizzle|PostgresError/i;
/** Happy requests that are prepared first, so that some of the generated ids exist. */
const preparedRequests = [
  "showReceipt",
  "placeCall",
  "showSettlement",
  "updatePositions",
  "destroyMessage",
  "reorderEvents",
];

let fixture: Fixture = await openFixture({ RATE_LIMITS: "off" });
for (const name of [...preparedRequests, "markNotificationsRead", "showPayment", "endTestCheckout"])
  await happy[name]?.(fixture);
afterFile(() => fixture.deps.close());

const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const clients = ["admin", "admin", "admin", "admin", "other", "other", "guest", "operator", "out"] as const;
type Client = (typeof clients)[number];

const send = ({ named: { endpoint }, text, ...parts }: Generated, browser: TestClient): Promise<Answer> =>
  sendRequest(
    fixture.server,
    buildRequest(endpoint, { browser, ...parts }, text === undefined ? {} : { text }),
  );

function faultIn({ status, body }: Answer): string | null {
  if (status >= 500) return `answered ${status}`;
  if (status < 400) return null;
  if (leak.test(JSON.stringify(body))) return "leaks internals";
  return v.is(v.looseObject(errorBody.entries), body) ? null : "has the wrong form";
}

/** Signs a client in again: some requests end their own sign-in. */
async function signInAgain(client: Client): Promise<void> {
  if (client === "out") return;
  const { id } = client === "admin" ? await buildAdmin(fixture.deps) : await fixture.player();
  fixture = {
    ...fixture,
    [client]: { id, browser: await signedInClient(fixture.deps, fixture.server, { id }) },
  };
}

test("random requests cause no 5xx, no leak of internals and no difference in the books", async () => {
  const seed = Number(FUZZ_SEED);
  const existing = await fixture.deps.pool.db.select({ slug: sessions.slug }).from(sessions);
  const slugs = ["new", "me", ...existing.map(({ slug }) => slug)];
  const all = fc.oneof(...allEndpoints.map((named) => requestsTo(named, ids, slugs)));
  const requests = fc.tuple(all, fc.constantFrom(...clients));
  const faults: unknown[] = [];
  const statuses: Record<number, number> = {};
  for (const [request, client] of fc.sample(requests, { numRuns: REQUESTS, seed })) {
    const browser = client === "out" ? fixture.signedOut : fixture[client].browser;
    let answer = await send(request, browser);
    // A busy machine draws the preview too slowly, says so, and draws it the next time.
    while (answer.status === BUSY) answer = await send(request, browser);
    if (answer.status === 401) await signInAgain(client);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const fault = faultIn(answer);
    const { named, ...sent } = request;
    if (fault !== null) faults.push({ seed, fault, client, name: named.name, ...sent, answer: answer.body });
  }
  expect(faults).toEqual([]);
  expect(await listDifferences(fixture.deps.pool.db)).toEqual([]);
  // Enough requests must have succeeded, and enough must have been refused as invalid.
  const few = REQUESTS / 50;
  expect({ seed, statuses, enough: Math.min(statuses[200] ?? 0, statuses[422] ?? 0) > few }).toMatchObject({
    enough: true,
  });
});
