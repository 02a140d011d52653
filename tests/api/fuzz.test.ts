import { expect, test } from "bun:test";
import type { JsonSchema } from "@valibot/to-json-schema";
import * as fc from "fast-check";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { bodySchema, valueSchema } from "#src/api/json-schemas.ts";
import { camelCase, snakeCase } from "#src/http/contract.ts";
import { errorBody, pageQuery } from "#src/http/schemas.ts";
import { ownVariables } from "#src/settings/env.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { type Answer, signedInClient, type TestClient } from "#tests/support/client.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { type Fixture, type Happy, openFixture } from "./fixture.ts";
import { happy, happy as happyOf } from "./happy.ts";
import { buildRequest, sendRequest } from "./send-request.ts";
import { textPlaces } from "./text-places.ts";

/** Texts that Postgres cannot store unchanged. */
const worstTexts = ["\0", "a\ud800", "0000-01-01T00:00:00Z"];
/** Texts that have broken programs before. */
const hostileTexts = [
  ...worstTexts,
  "",
  "'; DROP TABLE calls; --",
  "%",
  "\\",
  "null",
  "NaN",
  "-0",
  "1e309",
  "\u202e\u0000",
  "\ud800",
  "0x10",
  "__proto__",
  "2026-02-31T00:00:00Z",
  "2026-11-21T20:00:00.000Z",
  "9999-12-31T23:59:60Z",
  "+275760-09-13T00:00:00.001Z",
  "9007199254740993",
  "x".repeat(5_000),
];
const hostileNumbers = [
  0, -0, -1, 0.1, 0.015, 1.005, 1e21, -1e21, 1e-9, 2_147_483_648, 9_007_199_254_740_991,
  9_007_199_254_740_992, 1.797_693_134_862_315_7e308,
];

/** Any JSON value; hostile values more often than others. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts, ...hostileNumbers, null, true, false, [], {}),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>({ __proto__: null, constructor: { prototype: 1 } }, [[[[[[[[[[[[[[1]]]]]]]]]]]]]]),
);

/**
 * Values that match a schema, and sometimes values that do not: missing or unknown fields, other types, out of bounds.
 * @param ids ids of rows that may exist; unknown ids are generated too.
 */
function mostlyValid(schema: JsonSchema, ids: readonly number[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: valid(schema, ids) }, { weight: 1, arbitrary: anything });
}

function valid(schema: JsonSchema, ids: readonly number[]): fc.Arbitrary<unknown> {
  const { anyOf, enum: values, type } = schema;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((part) => valid(schemaOf(part), ids)));
  if (values !== undefined) return fc.constantFrom<unknown>(...values);
  if (type === "object") return validObject(schema, ids);
  if (type === "array") {
    const items = Array.isArray(schema.items) || schema.items === undefined ? {} : schemaOf(schema.items);
    return fc.array(mostlyValid(items, ids), { maxLength: 4 });
  }
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "integer" || type === "number") return validNumber(schema, ids);
  return type === "string" ? validText(schema) : anything;
}

function validObject({ properties = {}, required = [] }: JsonSchema, ids: readonly number[]) {
  const parts = Object.entries(properties).map(
    ([name, part]) => [name, mostlyValid(schemaOf(part), ids)] as const,
  );
  const known = fc.record(Object.fromEntries(parts), { requiredKeys: required });
  const incomplete = fc.record(Object.fromEntries(parts), { requiredKeys: [] });
  const overfull = fc.tuple(known, fc.dictionary(fc.string({ maxLength: 12 }), anything, { maxKeys: 2 }));
  return fc.oneof(
    { weight: 18, arbitrary: known },
    { weight: 1, arbitrary: incomplete },
    { weight: 1, arbitrary: overfull.map(([one, more]) => ({ ...one, ...more })) },
  );
}

function validNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema, ids: readonly number[]) {
  const min = minimum ?? exclusiveMinimum ?? -1_000;
  const max = maximum ?? 1_000_000;
  const isId = type === "integer" && minimum === 1 && max > 1_000_000_000;
  if (isId) return fc.oneof(fc.constantFrom(...ids), fc.constantFrom(min, max, 999_999_999));
  const edges = fc.constantFrom(min, max, min - 1, max + 1);
  if (type === "integer") return fc.oneof(fc.integer({ min: Math.ceil(min), max: Math.floor(max) }), edges);
  const cents = fc.integer({ min: Math.ceil(min * 100), max: Math.floor(Math.min(max, 10_000) * 100) });
  return fc.oneof(
    cents.map((amount) => amount / 100),
    edges,
    fc.constantFrom(...hostileNumbers),
  );
}

function validText({ format, minLength = 0, maxLength = 40, pattern }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) {
    return fc.oneof(fc.stringMatching(new RegExp(pattern)), fc.constantFrom(...hostileTexts));
  }
  if (format === "date-time") {
    const dates = fc.date({ min: new Date(0), max: new Date(1e13), noInvalidDate: true });
    return fc.oneof(
      dates.map((date) => date.toISOString()),
      fc.constantFrom(...hostileTexts),
    );
  }
  if (format === "email") return fc.emailAddress();
  const text = fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength + 1, 200) });
  return fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) });
}

function schemaOf(part: JsonSchema | boolean): JsonSchema {
  return typeof part === "boolean" ? {} : part;
}

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

const texts = await openFixture({ RATE_LIMITS: "off" });
afterFile(async () => {
  expect(await listDifferences(texts.deps.pool.db)).toEqual([]);
  await texts.deps.close();
});

/** Of the worst texts, those that a field gets. The fields take turns, so each day each text meets many of them. */
const PER_FIELD = roundsOf({ daily: 1, many: worstTexts.length });

type Part = Record<string, unknown>;

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

test("no text in a body, a query or a path causes a 5xx", async () => {
  const failures: string[] = [];
  let turn = 0;
  for (const named of allEndpoints) {
    const happy = await happyOf[named.name]?.(texts);
    if (happy === undefined || happy.bytes !== undefined) continue;
    const spoilt = textPlaces(named, happy).flatMap(({ where, requestOf }) => {
      turn += 1;
      const texts = worstTexts.filter((_, nth) => (turn + nth) % worstTexts.length < PER_FIELD);
      return texts.map((text) => ({ sent: `${where} ${JSON.stringify(text)}`, request: requestOf(text) }));
    });
    for (const { sent, request } of spoilt)
      if ((await sendRequest(texts.server, request)).status >= 500) failures.push(sent);
  }
  expect(failures).toEqual([]);
});

/** One character, as people count them, of eleven code units. */
const FAMILY = "👨‍👩‍👧‍👦";
/** What machines write, and whole files: counted in code units. */
const machineTexts = new Set(["text", "avatar", "client_id", "endpoint", "time_zone", "email", "search"]);

/** The texts of a body that people write, each with its limit. */
function limitsIn({ endpoint: { body: entries } }: NamedEndpoint, { body = {} }: Happy) {
  return Object.entries(bodySchema(entries ?? {}).properties ?? {}).flatMap(([root, schema]) => {
    const part = body[root];
    if (typeof schema === "boolean" || !isPart(part)) return [];
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      if (typeof field === "boolean" || machineTexts.has(name) || name.includes("password")) return [];
      const { maxLength: max, pattern, format } = field;
      if (max === undefined || pattern !== undefined || format !== undefined) return [];
      const write = (text: string) => ({ ...body, [root]: { ...part, [name]: text } });
      return [{ field: camelCase(name), max, write }];
    });
  });
}

const hasLimits = ({ endpoint: { body = {} } }: NamedEndpoint) =>
  JSON.stringify(bodySchema(body)).includes('"maxLength"');

test("every text that people write may have as many emoji as letters, also in the database", async () => {
  const counted = new Set<string>();
  for (const named of allEndpoints.filter(hasLimits)) {
    const happy = await happyOf[named.name]?.(texts);
    if (happy === undefined) continue;
    for (const { field, max, write } of limitsIn(named, happy)) {
      const what = `${named.name} ${field}`;
      const saidOf = async (text: string) => {
        const { status, body } = await sendRequest(
          texts.server,
          buildRequest(named.endpoint, { ...happy, body: write(text) }),
        );
        expect({ what, isBug: status >= 500 }).toEqual({ what, isBug: false });
        const { errors = {} } = v.is(errorBody, body) ? body : {};
        return { what, said: errors[field] ?? [] };
      };
      const tooLong = { what, said: [`is too long (maximum is ${max} characters)`] };
      expect(await saidOf(FAMILY.repeat(max + 1))).toEqual(tooLong);
      expect(await saidOf(FAMILY.repeat(max))).not.toEqual(tooLong);
      counted.add(field);
    }
  }
  expect(counted.size).toBeGreaterThan(8);
});
