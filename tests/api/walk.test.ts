import { expect, test } from "bun:test";
import * as v from "valibot";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { needsCsrfToken } from "#src/api/error-responses.ts";
import type { Example } from "#src/api/examples.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { errorBody } from "#src/http/schemas.ts";
import { ownVariables } from "#src/settings/env.ts";
import { statuses } from "#tests/http/access-statuses.ts";
import { callers } from "#tests/http/access-world.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { digesting } from "#tests/support/digest.ts";
import type { Answer, Visitor } from "#tests/support/visitor.ts";
import { askServer, type Changes, requestOf } from "./ask.ts";
import { exampleFrom, expectShown, record } from "./examples.ts";
import { happy as happyOf } from "./happy.ts";
import { wrongBodies, wrongQueries } from "./invalid-fields.ts";
import { type Happy, openStage } from "./stage.ts";

/** `RECORD_EXAMPLES=on bun test tests/api/walk.test.ts` writes the reference's examples anew, where answers have changed. */
const { RECORD_EXAMPLES } = ownVariables();
const made = new Map<string, Example>();

const stage = await openStage();
const digest = await digesting(stage.deps);
afterFile(async () => {
  if (RECORD_EXAMPLES !== undefined) await record(made);
  expect(await listDifferences(stage.deps.pool.db)).toEqual([]);
  await stage.deps.close();
});

/** Sends the request that is to succeed, or one that is changed so that it must not. */
const ask = ({ endpoint }: NamedEndpoint, happy: Happy, changes: Changes = {}): Promise<Answer> =>
  askServer(stage.server, requestOf(endpoint, happy, changes));

/** Expects a refusal of this status in the one form that all have. Answers its errors by field. */
function refused(
  { status, body, headers }: Answer,
  expected: number,
  what: string,
): Record<string, string[]> {
  expect({ what, status, body }).toMatchObject({ what, status: expected });
  const error = v.parse(v.strictObject({ ...errorBody.entries, current: v.optional(v.unknown()) }), body);
  expect(error.requestId).toBe(headers.get("x-request-id") ?? "");
  return error.errors ?? {};
}

/** Who knocks besides, in the order of the matrix; nobody of them owns what is asked about. */
const knockers = (): Record<string, Visitor> => ({
  out: stage.out,
  guest: stage.guest.browser,
  other: stage.other.browser,
  operator: stage.operator.browser,
  admin: stage.admin.browser,
});

async function refuseOthers(line: NamedEndpoint, happy: Happy): Promise<void> {
  const expected = statuses[line.endpoint.who].split(" ");
  for (const [name, browser] of Object.entries(knockers())) {
    const status = expected[callers.findIndex((visitor) => visitor === name)] ?? "x";
    if (status === "x") continue;
    refused(await ask(line, { ...happy, browser }), Number(status), `asked by ${name}`);
  }
}

async function refuseForged(line: NamedEndpoint, happy: Happy): Promise<void> {
  if (!needsCsrfToken(line.endpoint) || line.name === "storeUpload") return;
  const answer = await ask(line, happy, { headers: { [CSRF_HEADER]: "" } });
  refused(answer, 422, "without its token");
  expect(answer.body).toMatchObject({ code: "invalid_authenticity_token" });
}

async function refuseMalformed(line: NamedEndpoint, happy: Happy): Promise<void> {
  const { body } = line.endpoint;
  if (body === undefined) return;
  refused(await ask(line, happy, { text: "{" }), 400, "broken JSON");
  refused(await ask(line, happy, { text: `{"other":{}}` }), 400, "another key");
  refused(await ask(line, happy, { text: "7" }), 400, "a number");
  const plain = { "content-type": "text/plain" };
  refused(await ask(line, happy, { text: "{}", headers: plain }), 415, "plain text");
}

async function refuseUnknown(line: NamedEndpoint, happy: Happy): Promise<void> {
  for (const name of Object.keys(happy.params ?? {})) {
    for (const nothing of ["999999999", "no-such-thing"]) {
      const params = { ...happy.params, [name]: nothing };
      refused(await ask(line, { ...happy, params }), 404, `${name} ${nothing}`);
    }
  }
}

async function refuseInvalid(line: NamedEndpoint, happy: Happy): Promise<void> {
  const { endpoint } = line;
  for (const { what, field, happy: wrong } of [
    ...wrongBodies(endpoint, happy),
    ...wrongQueries(endpoint, happy),
  ]) {
    const errors = refused(await ask(line, wrong), 422, what);
    const fields = Object.keys(errors).map((name) => name.split(".")[0]);
    expect({ what, fields }).toEqual({ what, fields: expect.arrayContaining([field]) });
  }
}

async function refuseStale(line: NamedEndpoint, happy: Happy): Promise<void> {
  if (line.endpoint.versioned !== true) return;
  const answer = await ask(line, happy, { headers: { "if-match": '"999999"' } });
  refused(answer, 409, "based on a version that never was");
  expect(answer.body).toMatchObject({ code: "stale_version" });
}

async function refuseLongKey(line: NamedEndpoint, happy: Happy): Promise<void> {
  if (line.endpoint.idempotent !== true) return;
  const headers = { "idempotency-key": "k".repeat(129) };
  refused(await ask(line, happy, { headers }), 422, "under a key that is too long");
}

/** Expects that the same under the same key does nothing more. */
async function repeat(line: NamedEndpoint, happy: Happy, first: Answer): Promise<void> {
  if (line.endpoint.idempotent !== true) return;
  // A wallet that is locked again notes by whom: only rows count here.
  const rows = async () => (await digest()).replaceAll(/ \d+$/gm, "");
  const before = await rows();
  const again = await ask(line, happy, { headers: keyOf(line) });
  expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(["false", "true"]);
  expect([again.status, await rows()]).toEqual([first.status, before]);
}

/** Expects that whoever has the answer already is told so. */
async function revalidate(line: NamedEndpoint, happy: Happy, { headers }: Answer): Promise<void> {
  const tag = headers.get("etag") ?? "";
  expect(tag !== "").toBe(line.endpoint.etag === true);
  if (tag === "") return;
  const { status, body } = await ask(line, happy, { headers: { "if-none-match": tag } });
  expect({ status, body }).toEqual({ status: 304, body: "" });
}

const keyOf = ({ name, endpoint }: NamedEndpoint): Record<string, string> =>
  endpoint.idempotent === true ? { "idempotency-key": `walk-${name}` } : {};

/** Expects what the line promises: the status, and an answer that has its shape and nothing besides. */
function fulfilled({ endpoint }: NamedEndpoint, { status, body }: Answer): void {
  const { answer, status: promised = answer === undefined ? 204 : 200 } = endpoint;
  expect({ status, body }).toMatchObject({ status: promised });
  if (answer === undefined) expect(body).toBe("");
  else if (answer !== "file") expect(v.parse(answer, body)).toEqual(body);
}

/** Links are opened with GET, and do something all the same. */
const linksOfMails = new Set(["confirmEmail", "unlockByMail"]);

test("every endpoint has a happy request, and no other is there", () => {
  expect(new Set(Object.keys(happyOf))).toEqual(new Set(allEndpoints.map(({ name }) => name)));
});

for (const line of allEndpoints) {
  const { name, endpoint } = line;
  test(`${name}: refuses whom and what it must and changes nothing by it, then does as its line says`, async () => {
    const prepare = happyOf[name];
    if (prepare === undefined) throw new Error(`nobody knows how ${name} is asked`);
    const happy = await prepare(stage);
    const before = await digest();
    await refuseOthers(line, happy);
    await refuseForged(line, happy);
    await refuseMalformed(line, happy);
    await refuseUnknown(line, happy);
    await refuseInvalid(line, happy);
    await refuseStale(line, happy);
    await refuseLongKey(line, happy);
    expect(await digest()).toBe(before);
    const answer = await ask(line, happy, { headers: keyOf(line) });
    fulfilled(line, answer);
    await revalidate(line, happy, answer);
    if (endpoint.method === "GET" && !linksOfMails.has(name)) expect(await digest()).toBe(before);
    await repeat(line, happy, answer);
    const example = exampleFrom(line, happy, answer);
    made.set(name, example);
    if (RECORD_EXAMPLES === undefined) expectShown(line, example);
  });
}
