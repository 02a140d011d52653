import { expect, test } from "bun:test";
import * as v from "valibot";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { needsCsrfToken } from "#src/api/error-responses.ts";
import { EXAMPLES_FILE, exampleOf, type Example } from "#src/api/examples.ts";
import { readResource } from "#src/http/check-input.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { isIdempotent, statusOf } from "#src/http/endpoint.ts";
import { errorBody } from "#src/http/schemas.ts";
import { ownVariables } from "#src/settings/env.ts";
import { statuses } from "#tests/http/access-statuses.ts";
import { callers } from "#tests/http/access-world.ts";
import { expectedScope } from "#tests/http/token-access.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import type { Answer, TestClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { addressOf, openFixture, type Happy } from "./fixture.ts";
import { happy as happyOf } from "./happy.ts";
import { wrongBodies, wrongQueries } from "./invalid-fields.ts";
import { buildRequest, sendRequest, type Changes } from "./send-request.ts";

/** List items that an example shows. */
const LIST_MAX = 2;

/** Makes the example of an endpoint from a request and its answer. */
function exampleFrom({ endpoint }: NamedEndpoint, happy: Happy, { status, body: answer }: Answer): Example {
  return {
    request: addressOf(endpoint.route, happy),
    ...(happy.body === undefined ? {} : { body: happy.body }),
    status,
    ...(answer === "" ? {} : { answer: shorten(answer) }),
  };
}

function shorten(value: unknown): unknown {
  if (typeof value === "string" && value.includes("\0")) return "(the bytes of the file)";
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part)]));
}

/**
 * Expects the recorded example of an endpoint to have the same form as one made just now, and to fit the endpoint's
 * schemas.
 */
function expectRecorded({ name, endpoint: { answer, ...rest } }: NamedEndpoint, fresh: Example): void {
  const recorded = exampleOf(name);
  // An endpoint without an example is new: this run records it.
  if (recorded === undefined) return;
  const fix = "RECORD_EXAMPLES=on bun test tests/api/walk.test.ts";
  expect({ fix, ...formOf(recorded) }).toEqual({ fix, ...formOf(fresh) });
  if (rest.body !== undefined) readResource(recorded.body, rest);
  if (answer !== undefined && answer !== "file")
    expect(v.parse(answer, recorded.answer)).toEqual(recorded.answer);
}

/** The form of an example, without its values. */
function formOf({ request, status, body, answer }: Example) {
  const [method = "", address = ""] = request.split(" ");
  return {
    method,
    parts: address.split("/").length,
    status,
    body: keysIn(body).toSorted(),
    answer: keysIn(answer).toSorted(),
  };
}

/** The paths of all keys in a value. For a list, those of its first item. Example: `.events[].title`. */
function keysIn(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return keysIn(value[0], `${prefix}[]`);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    `${prefix}.${key}`,
    ...keysIn(part, `${prefix}.${key}`),
  ]);
}

/** Writes the examples of the reference, one line per endpoint. @param examples by name, in the order of the reference. */
async function recordExamples(examples: ReadonlyMap<string, Example>): Promise<void> {
  const lines = [...examples].map(([name, example]) => JSON.stringify({ name, ...example }));
  await Bun.write(EXAMPLES_FILE, `${lines.join("\n")}\n`);
}

/** True where one of these endpoints has no recorded example yet. */
function isExampleMissing(examples: ReadonlyMap<string, Example>): boolean {
  return [...examples.keys()].some((name) => exampleOf(name) === undefined);
}

/**
 * Every endpoint is walked: its happy request (see happy.ts) is sent by all clients that it is not for, without its token,
 * with a broken body and with each field wrong, and all tables are compared before and after. Then it must succeed. The
 * answers are the examples of the reference. The example of a new endpoint is recorded by this run; where an answer has
 * changed on purpose, `RECORD_EXAMPLES=on bun test --timeout 60000 tests/api/walk.test.ts` records all of them again.
 */
const { RECORD_EXAMPLES } = ownVariables();
const recordedNow = new Map<string, Example>();

const fixture = await openFixture({ RATE_LIMITS: "off" });
const digest = () => digestTables(fixture.deps.pool.db);
afterFile(async () => {
  const isComplete = recordedNow.size === allEndpoints.length;
  if (isComplete && (RECORD_EXAMPLES !== undefined || isExampleMissing(recordedNow)))
    await recordExamples(recordedNow);
  expect(await listDifferences(fixture.deps.pool.db)).toEqual([]);
  await fixture.deps.close();
});

/** Sends the happy request, or one with changes that must be refused. */
const send = ({ endpoint }: NamedEndpoint, happy: Happy, changes: Changes = {}): Promise<Answer> =>
  sendRequest(fixture.server, buildRequest(endpoint, happy, changes));

/** Expects a refusal of this status in the form that all refusals have. Returns its errors by field. */
function expectRefusal(
  { status, body, headers }: Answer,
  expected: number,
  what: string,
): Record<string, string[]> {
  expect({ what, status, body }).toMatchObject({ what, status: expected });
  const error = v.parse(v.strictObject({ ...errorBody.entries, current: v.optional(v.unknown()) }), body);
  expect(error.requestId).toBe(headers.get("x-request-id") ?? "");
  return error.errors ?? {};
}

/** The clients that do not own the resource, in the order of the access matrix. */
const otherClients = (): Record<string, TestClient> => ({
  out: fixture.signedOut,
  guest: fixture.guest.browser,
  other: fixture.other.browser,
  operator: fixture.operator.browser,
  admin: fixture.admin.browser,
});

async function refuseOthers(named: NamedEndpoint, happy: Happy): Promise<void> {
  const expected = statuses[named.endpoint.who].split(" ");
  for (const [name, browser] of Object.entries(otherClients())) {
    const status = expected[callers.findIndex((visitor) => visitor === name)] ?? "x";
    if (status === "x") continue;
    expectRefusal(await send(named, { ...happy, browser }), Number(status), `sent by ${name}`);
  }
}

/** Programs whose tokens are not valid, or for something else. */
async function refuseTokens(named: NamedEndpoint, happy: Happy): Promise<void> {
  const scope = expectedScope(named.endpoint);
  if (scope === "public") return;
  for (const [name, { browser, refusedBy }] of Object.entries(fixture.programs)) {
    const isOpen = scope === name || (scope === "read" && name === "run");
    if (!isOpen) expectRefusal(await send(named, { ...happy, browser }), refusedBy, `by token: ${name}`);
  }
}

async function refuseForged(named: NamedEndpoint, happy: Happy): Promise<void> {
  if (!needsCsrfToken(named.endpoint) || named.name === "storeUpload") return;
  const answer = await send(named, happy, { headers: { [CSRF_HEADER]: "" } });
  expectRefusal(answer, 422, "without its token");
  expect(answer.body).toMatchObject({ code: "invalid_authenticity_token" });
}

async function refuseMalformed(named: NamedEndpoint, happy: Happy): Promise<void> {
  const { body } = named.endpoint;
  if (body === undefined) return;
  expectRefusal(await send(named, happy, { text: "{" }), 400, "broken JSON");
  expectRefusal(await send(named, happy, { text: `{"other":{}}` }), 400, "an unknown key");
  expectRefusal(await send(named, happy, { text: "7" }), 400, "a number");
  const plain = { "content-type": "text/plain" };
  expectRefusal(await send(named, happy, { text: "{}", headers: plain }), 415, "plain text");
}

async function refuseUnknown(named: NamedEndpoint, happy: Happy): Promise<void> {
  for (const name of Object.keys(happy.params ?? {})) {
    for (const nothing of ["999999999", "no-such-thing"]) {
      const params = { ...happy.params, [name]: nothing };
      expectRefusal(await send(named, { ...happy, params }), 404, `${name} ${nothing}`);
    }
  }
}

async function refuseInvalid(named: NamedEndpoint, happy: Happy): Promise<void> {
  const { endpoint } = named;
  for (const { what, field, happy: wrong } of [
    ...wrongBodies(endpoint, happy),
    ...wrongQueries(endpoint, happy),
  ]) {
    const errors = expectRefusal(await send(named, wrong), 422, what);
    const fields = Object.keys(errors).map((name) => name.split(".")[0]);
    expect({ what, fields }).toEqual({ what, fields: expect.arrayContaining([field]) });
  }
}

async function refuseStale(named: NamedEndpoint, happy: Happy): Promise<void> {
  if (named.endpoint.versioned !== true) return;
  const answer = await send(named, happy, { headers: { "if-match": '"999999"' } });
  expectRefusal(answer, 409, "with a version that never existed");
  expect(answer.body).toMatchObject({ code: "stale_version" });
}

async function refuseLongKey(named: NamedEndpoint, happy: Happy): Promise<void> {
  if (!isIdempotent(named.endpoint)) return;
  const headers = { "idempotency-key": "k".repeat(129) };
  expectRefusal(await send(named, happy, { headers }), 422, "with a key that is too long");
}

/**
 * Expects that repeating the request with the same key answers the same and changes nothing more, except that who was signed in by
 * it is signed in again, and that another request with this key is refused.
 */
async function expectReplay(named: NamedEndpoint, happy: Happy, first: Answer): Promise<void> {
  if (!isIdempotent(named.endpoint)) return;
  // Locking a wallet again increases its fencing token, so only the number of rows is compared.
  const rows = async () => (await digest()).replaceAll(/ \d+$|^(sign_ins|known_browsers) .*$/gm, "");
  const before = await rows();
  const again = await send(named, happy, { headers: keyOf(named) });
  expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(["false", "true"]);
  expect([again.status, await rows()]).toEqual([first.status, before]);
  expect(withoutTime(again.body)).toEqual(withoutTime(first.body));
  const body = anotherBody(happy.body ?? {});
  if (body === null) return;
  const other = await send(named, { ...happy, body }, { headers: keyOf(named) });
  expect(expectRefusal(other, 422, "another body under the same key")).toHaveProperty("idempotencyKey");
  expect(other.body).toMatchObject({ code: "idempotency_key_reused" });
  expect(await rows()).toBe(before);
}

/** What has moved on since the first answer: clocks, and addresses that expire. */
const withoutTime = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/"(serverTime|signed_?[iI]d|url)":"[^"]*"/g, '"$1":""'));

/** The body with another value of its first field that takes any; null if it has none. */
function anotherBody(body: Record<string, unknown>): Record<string, unknown> | null {
  const text = JSON.stringify(body);
  const other = text
    .replace(/"(name|title|reason|filename|display_name|username|body)":"/, "$&x")
    .replace(/"(wager|amount|minutes|players|target_id)":/, "$&1");
  return other === text ? null : v.parse(v.record(v.string(), v.unknown()), JSON.parse(other));
}

/** Expects 304 for a client that has cached the answer. */
async function expectNotModified(named: NamedEndpoint, happy: Happy, { headers }: Answer): Promise<void> {
  const tag = headers.get("etag") ?? "";
  expect(tag !== "").toBe(named.endpoint.etag === true);
  if (tag === "") return;
  const { status, body } = await send(named, happy, { headers: { "if-none-match": tag } });
  expect({ status, body }).toEqual({ status: 304, body: "" });
}

const keyOf = ({ name, endpoint }: NamedEndpoint): Record<string, string> =>
  isIdempotent(endpoint) ? { "idempotency-key": `walk-${name}` } : {};

/** Expects the documented status, and an answer that matches its schema and has no other fields. */
function expectSuccess({ endpoint }: NamedEndpoint, { status, body }: Answer): void {
  const { answer } = endpoint;
  expect({ status, body }).toMatchObject({ status: statusOf(endpoint) });
  if (answer === undefined) expect(body).toBe("");
  else if (answer !== "file") expect(v.parse(answer, body)).toEqual(body);
}

/** Each POST without an Idempotency-Key, and why. */
const createNothing = {
  signIn: "a sign-in is as good as the next",
  signInByPasskey: "its challenge counts once",
  askForPasskeySignIn: "a challenge",
  askForPasskey: "a challenge",
  askToConfirmByPasskey: "a challenge",
  askForPassword: "a mail, limited by address",
  askForConfirmation: "a mail, limited by address",
  askForUnlock: "a mail, limited by address",
  reorderEvents: "sets an order",
  updatePositions: "sets an order",
  updateBlueprintEvents: "changes what exists",
  destroyBlueprintEvents: "removes what exists",
  restoreRemoval: "brings back what is missing, once",
  receiveWebhook: "the provider's messages have ids",
  endTestCheckout: "ends what exists, once",
  sendWaiting: "sends what waits",
  readPlanFile: "stores nothing",
  pauseQueue: "sets a switch",
  resumeQueue: "sets a switch",
  retryJob: "tries what exists",
  createReaction: "is shown and not stored",
};

test("every endpoint has exactly one happy request", () => {
  expect(new Set(Object.keys(happyOf))).toEqual(new Set(allEndpoints.map(({ name }) => name)));
});

test("every POST that creates something takes an Idempotency-Key", () => {
  const without = allEndpoints.filter(
    ({ endpoint }) => endpoint.route.startsWith("POST ") && !isIdempotent(endpoint),
  );
  expect(without.map(({ name }) => name).toSorted()).toEqual(Object.keys(createNothing).toSorted());
});

for (const named of allEndpoints) {
  const { name, endpoint } = named;
  test(`${name}: refuses wrong clients and requests without changes, then succeeds as documented`, async () => {
    const prepare = happyOf[name];
    if (prepare === undefined)
      throw new Error(`${name} has no happy request: add one in tests/api/happy-*.ts`);
    const happy = await prepare(fixture);
    const before = await digest();
    await refuseOthers(named, happy);
    await refuseTokens(named, happy);
    await refuseForged(named, happy);
    await refuseMalformed(named, happy);
    await refuseUnknown(named, happy);
    await refuseInvalid(named, happy);
    await refuseStale(named, happy);
    await refuseLongKey(named, happy);
    expect(await digest()).toBe(before);
    const answer = await send(named, happy, { headers: keyOf(named) });
    expectSuccess(named, answer);
    await expectNotModified(named, happy, answer);
    if (endpoint.route.startsWith("GET ")) expect(await digest()).toBe(before);
    await expectReplay(named, happy, answer);
    const example = exampleFrom(named, happy, answer);
    recordedNow.set(name, example);
    if (RECORD_EXAMPLES === undefined) expectRecorded(named, example);
  });
}
