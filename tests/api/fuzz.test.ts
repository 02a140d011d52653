import { expect, test } from "bun:test";
import type { JsonSchema } from "@valibot/to-json-schema";
import * as fc from "fast-check";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { describeApi } from "#src/api/describe-api.ts";
import { errorBody } from "#src/http/schemas.ts";
import { ownVariables } from "#src/settings/env.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signedInClient, type Answer, type TestClient } from "#tests/support/client.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { anything, mostlyValid } from "./arbitrary.ts";
import { openFixture, type Fixture } from "./fixture.ts";
import { happy } from "./happy.ts";
import { sendRequest } from "./send-request.ts";

const jsonSchema = v.custom<JsonSchema>((value) => typeof value === "object" && value !== null);
const operation = v.object({
  operationId: v.string(),
  parameters: v.array(
    v.object({
      name: v.optional(v.string(), ""),
      in: v.optional(v.string(), ""),
      schema: v.optional(jsonSchema, {}),
    }),
  ),
  requestBody: v.optional(
    v.object({ content: v.object({ "application/json": v.object({ schema: jsonSchema }) }) }),
  ),
});
const document = v.object({ paths: v.record(v.string(), v.record(v.string(), operation)) });

type GeneratedRequest = {
  name: string;
  method: string;
  address: string;
  /** Undefined for none. */
  body: string | undefined;
};

/**
 * Generates requests to all operations of the OpenAPI document. Most are nearly valid, some are arbitrary.
 * @param ids ids of rows that may exist.
 * @param slugs texts that may name a resource.
 */
function generateRequests(ids: readonly number[], slugs: readonly string[]): fc.Arbitrary<GeneratedRequest> {
  const { paths } = v.parse(document, describeApi());
  const all = Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, described]) => ({ template, method, operation: described })),
  );
  return fc.oneof(...all.map((one) => requestOf(one, ids, slugs)));
}

type Operation = { template: string; method: string; operation: v.InferOutput<typeof operation> };

function requestOf(
  { template, method, operation: described }: Operation,
  ids: readonly number[],
  slugs: readonly string[],
): fc.Arbitrary<GeneratedRequest> {
  const part = ({ schema }: { schema: JsonSchema }) =>
    schema.type === "integer"
      ? fc.oneof(
          fc.constantFrom(...ids).map(String),
          fc.constantFrom("0", "-1", "1e3", "999999999", "9007199254740993"),
        )
      : fc.oneof(fc.constantFrom(...slugs), fc.string({ minLength: 1, maxLength: 30 }));
  const parametersIn = (location: string) =>
    described.parameters.filter((parameter) => parameter.in === location);
  const params = fc.record(Object.fromEntries(parametersIn("path").map((one) => [one.name, part(one)])));
  const query = fc.record(
    Object.fromEntries(parametersIn("query").map(({ name, schema }) => [name, mostlyValid(schema, ids)])),
    { requiredKeys: [] },
  );
  const schema = described.requestBody?.content["application/json"].schema;
  return fc
    .record({ params, query, body: schema === undefined ? fc.constant(undefined) : bodies(schema, ids) })
    .map(({ params: parts, query: values, body }) => ({
      name: described.operationId,
      method: method.toUpperCase(),
      address:
        template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(parts[name] ?? "").replaceAll(".", "%2E"),
        ) + searchOf(values),
      body,
    }));
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

function searchOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map(([key, value]) => [
    key,
    typeof value === "string" ? value.toWellFormed() : JSON.stringify(value),
  ]);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
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

async function send({ method, address, body }: GeneratedRequest, browser: TestClient): Promise<Answer> {
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const headers = { accept: "application/json", ...browser.credentials(), ...json };
  const init = { method, headers, ...(body === undefined || method === "GET" ? {} : { body }) };
  return sendRequest(fixture.server, new Request(`http://localhost:3000${address}`, init));
}

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
  const requests = fc.tuple(generateRequests(ids, slugs), fc.constantFrom(...clients));
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
    if (fault !== null) faults.push({ seed, fault, client, ...request, answer: answer.body });
  }
  expect(faults).toEqual([]);
  expect(await listDifferences(fixture.deps.pool.db)).toEqual([]);
  // Enough requests must have succeeded, and enough must have been refused as invalid.
  const few = REQUESTS / 50;
  expect({ seed, statuses, enough: Math.min(statuses[200] ?? 0, statuses[422] ?? 0) > few }).toMatchObject({
    enough: true,
  });
});
