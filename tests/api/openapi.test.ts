import { expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as v from "valibot";
import { allEndpoints, chapters } from "#src/api/all-endpoints.ts";
import { describeApi } from "#src/api/describe-api.ts";
import { exampleOf } from "#src/api/examples.ts";
import { namedSchemas } from "#src/api/json-schemas.ts";
import type { Schema } from "#src/http/check-input.ts";
import { partsOf, statusOf } from "#src/http/endpoint.ts";
import { cents, dollars } from "#src/http/schemas.ts";
import { sessionMessage, userMessage } from "#src/live/relay/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const { server } = await testWorld();

const ask = () => server.handle(new Request("http://localhost:3000/api/openapi.json"));
const document = v.object({
  openapi: v.string(),
  tags: v.array(v.object({ name: v.string() })),
  paths: v.record(
    v.string(),
    v.record(
      v.string(),
      v.looseObject({
        operationId: v.string(),
        tags: v.array(v.string()),
        responses: v.record(v.string(), v.unknown()),
      }),
    ),
  ),
});

test("the document is valid OpenAPI 3.1", async () => {
  const read = v.parse(v.record(v.string(), v.unknown()), await (await ask()).json());
  const { valid, errors } = await new Validator().validate(read);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

test("every endpoint is in it once, with a known chapter and the documented status", async () => {
  const { openapi, tags, paths } = v.parse(document, await (await ask()).json());
  expect(openapi).toBe("3.1.0");
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names)).toEqual(new Set(allEndpoints.map(({ name }) => name)));
  expect(names).toHaveLength(allEndpoints.length);
  for (const { operationId, tags: own, responses } of operations) {
    const entry = allEndpoints.find(({ name }) => name === operationId);
    expect(tags.map(({ name }) => name)).toContain(own[0] ?? "");
    expect(Object.keys(responses)).toContain(entry === undefined ? "" : String(statusOf(entry.endpoint)));
  }
});

test("no two names in it differ by case and underscores only: generated clients make one name of them", () => {
  const schemas = objectsIn(describeApi()).map(({ properties }) => Object.keys(properties));
  const operations = allEndpoints.map(({ name }) => name);
  const groups = [operations, Object.keys(namedSchemas()), ...schemas];
  const plainOf = (name: string) => name.toLowerCase().replaceAll("_", "");
  const double = groups.flatMap((names) =>
    names.filter((name) => isTwice(names.map(plainOf), plainOf(name))),
  );
  expect(double).toEqual([]);
  expect(schemas.length).toBeGreaterThan(100);
});

const isTwice = (names: readonly string[], name: string) => names.indexOf(name) !== names.lastIndexOf(name);

/** All schemas of objects in a part of the document. */
function objectsIn(part: unknown): { properties: object }[] {
  if (typeof part !== "object" || part === null) return [];
  const here = "properties" in part && typeof part.properties === "object" ? part.properties : null;
  const deeper = Object.values(part).flatMap(objectsIn);
  return here === null ? deeper : [{ properties: here }, ...deeper];
}

test("every example in it matches its schema", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const whole = describeApi();
  ajv.addSchema(whole, "api");
  const found = examplesIn(whole, "");
  expect(found.filter(({ at, example }) => !ajv.validate({ $ref: `api#${at}/schema` }, example))).toEqual([]);
  expect(found.length).toBeGreaterThan(allEndpoints.length);
});

/** All examples that have a schema beside them, with their JSON pointers. */
function examplesIn(node: unknown, at: string): { at: string; example: unknown }[] {
  if (typeof node !== "object" || node === null) return [];
  if ("schema" in node && "example" in node) return [{ at, example: node.example }];
  return Object.entries(node).flatMap(([key, part]) => examplesIn(part, `${at}/${pointerPart(key)}`));
}

/** Escapes a key for a JSON pointer in a URI fragment. */
function pointerPart(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}

test("answers are in camelCase, however deep, except what programs of storage and oEmbed name", () => {
  const names = allEndpoints.flatMap(({ name }) => keysIn(exampleOf(name)?.answer));
  const storage = ["content_type", "byte_size", "created_at", "signed_id", "direct_upload"];
  const others = [...storage, "provider_name", "provider_url"];
  expect([...new Set(names.filter((key) => key.includes("_")))].toSorted()).toEqual(others.toSorted());
});

/** All keys in a value, at every depth. */
function keysIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  const own = Array.isArray(part) ? [] : Object.keys(part);
  return [...own, ...Object.values(part).flatMap(keysIn)];
}

const page = await server.handle(
  new Request("http://localhost:3000/api", { headers: { accept: "text/html" } }),
);
const html = await page.text();

test("the reference is public, has no script and loads files only from this server", () => {
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(html).not.toContain("<script");
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  expect(addresses.filter((address) => !/^(\/|#)/.test(address))).toEqual([]);
  const style = /<style>([^<]+)<\/style>/.exec(html)?.[1] ?? "none";
  const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  expect(page.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
});

test("every chapter and endpoint is in it once, with its audience, an example and its errors", () => {
  for (const { title } of chapters) expect(html).toContain(`<h2>${title}</h2>`);
  for (const { name, endpoint } of allEndpoints) {
    const [, section = "", ...more] = html.split(`id="${name}"`);
    const [text = ""] = section.split("</details>");
    expect({ name, more: more.length }).toEqual({ name, more: 0 });
    expect(text).toContain("<b>For</b>");
    expect(text).toContain(`<pre tabindex="0">${partsOf(endpoint).method} `);
    expect(text).toContain("<h3>Errors</h3>");
    for (const code of Object.keys(endpoint.refusals ?? {}))
      expect(text.replaceAll("<wbr>", "")).toContain(code);
  }
});

test.each(["/api", "/api/openapi.json", "/api/asyncapi.json"])(
  "%s is public and made once: the same bytes, compressed, or 304",
  async (address) => {
    const ask = (headers: Record<string, string>) =>
      server.handle(new Request(`http://localhost:3000${address}`, { headers }));
    const plain = await ask({});
    const text = await plain.text();
    const etag = plain.headers.get("etag") ?? "";
    expect(plain.headers.get("cache-control")).toBe("public, max-age=300");
    expect([plain.headers.getSetCookie(), plain.headers.get("x-csrf-token")]).toEqual([[], null]);
    for (const [encoding, decompress] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const answer = await ask({ "accept-encoding": encoding });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(answer.headers.get("etag")).toBe(etag);
      expect(decompress(await answer.arrayBuffer()).toString()).toBe(text);
    }
    const known = await ask({ "if-none-match": etag });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const policy = (answer: Response) =>
      answer.headers.get("content-security-policy")?.replaceAll(/'nonce-[^']+'/g, "");
    expect(policy(known)).toBe(policy(plain) ?? "none");
  },
);

// The fields of every entity, written out as the specification names them and not taken from the product's schemas. They are in the
// recorded examples, whose form each answer has (walk.test.ts): a field that is renamed or left out fails one of the two.
const anObject = v.record(v.string(), v.unknown());

/** What is at a path of an example's answer; of a list, its first entry. */
function partOf(name: string, path: string): Record<string, unknown> {
  let part: unknown = exampleOf(name)?.answer;
  for (const step of path.split(".").filter(Boolean)) {
    const found = v.parse(anObject, part)[step];
    part = Array.isArray(found) ? found[0] : found;
  }
  return v.parse(anObject, part);
}

/** Every entity: the example that has it and its path in the answer, and its fields. */
const entities: Record<string, string> = {
  "showProfile user":
    "id email gid avatar username phone createdAt updatedAt notificationCount notifications calls sessions wallet roles guest",
  "showProfile user.avatar": "default thumb small medium large original",
  "showWallet wallet": "id balance availableBalance metrics held owed",
  "showWallet wallet.metrics":
    "wagered returned net roi pending callsPlaced won lost refunded winRate currentStreak bestStreak",
  "listCalls calls": "id userId eventId state spotId wager outcome payout",
  "showEvent event":
    "id sessionId blueprintEventId position title description trueLabel falseLabel state result voided resultReason opensAt openedAt closesAt closedAt resolveBy resolvedAt publishedAt createdAt updatedAt durationSeconds minWager maxWager spots pool callsCount myCalls version",
  "showSessionEvent event": "id sessionId title trueLabel falseLabel state result publishedAt createdAt",
  "showEvent event.spots": "id eventId side label state callsCount pool won openedAt closedAt resolvedAt",
  "listScores scores":
    "id userId username avatar sessionId wins losses pushes net roi accuracy currentStreak bestStreak rank rankChange",
  "listPayments payments": "id reference state amount provider checkoutUrl",
  "listNotifications notifications": "id kind title body url readAt createdAt",
  "listResults results": "id callId eventId eventTitle sessionSlug side wager outcome payout net resolvedAt",
  "listTransactions transactions":
    "id kind amount balanceAfter availableAfter callId eventId sessionId paymentId memo createdAt",
  "showBlueprint blueprint": "id name description defaults blueprintEvents sessionsCount createdAt updatedAt",
  "showBlueprint blueprint.blueprintEvents":
    "id blueprintId position title trueLabel falseLabel startMode offsetSeconds durationSeconds resolveWithinSeconds minWager maxWager autoResult",
  "showSession session":
    "id slug name description state active startsAt startedAt pausedAt stoppedAt blueprintId eventsCount registrationsCount registered playersOnline settings version",
  "registerPlayer registration": "id sessionId userId displayName state createdAt",
  "listMessages messages": "id sessionId userId username avatar body createdAt deletedAt",
  announceUpload: "id signedId signed_id filename contentType byteSize checksum directUpload direct_upload",
  "listCalls meta": "currentPage perPage serverTime totalCount totalPages",
};

test.each(Object.entries(entities))("%s has its fields", (place, fields) => {
  const [example = "", path = ""] = place.split(" ");
  const names = new Set(Object.keys(partOf(example, path)));
  expect(fields.split(" ").filter((name) => !names.has(name))).toEqual([]);
});

const wrapper = v.object({ wrapped: v.custom<Schema>(isSchema) });
const list = v.object({ item: v.custom<Schema>(isSchema) });
const choice = v.object({ options: v.array(v.custom<Schema>(isSchema)) });
const fields = v.object({ entries: v.record(v.string(), v.custom<Schema>(isSchema)) });

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}

/** A schema without the `nullable` and `optional` around it. */
function unwrap(schema: Schema): Schema {
  return v.is(wrapper, schema) ? unwrap(v.parse(wrapper, schema).wrapped) : schema;
}

type Money = { path: string; hasTwin: boolean };

/** All amounts in dollars within a schema, and whether each has the same amount in cents beside it. */
function moneyIn(schema: Schema, path: string): Money[] {
  const inner = unwrap(schema);
  if (inner === dollars) return [{ path, hasTwin: false }];
  if (v.is(list, inner)) return moneyIn(v.parse(list, inner).item, `${path}[]`);
  if (v.is(choice, inner)) return v.parse(choice, inner).options.flatMap((option) => moneyIn(option, path));
  if (!v.is(fields, inner)) return [];
  const { entries } = v.parse(fields, inner);
  return Object.entries(entries).flatMap(([name, field]) => {
    if (unwrap(field) !== dollars) return moneyIn(field, `${path}.${name}`);
    const twin = entries[`${name}Cents`];
    return [{ path: `${path}.${name}`, hasTwin: twin !== undefined && unwrap(twin) === cents }];
  });
}

const answers = allEndpoints.flatMap(({ name, endpoint: { answer } }) =>
  answer === undefined || answer === "file" ? [] : [{ name, schema: answer }],
);
const messages = [
  { name: "UserChannel", schema: userMessage },
  { name: "SessionsChannel", schema: sessionMessage },
];

test.each([...answers, ...messages])(
  "every amount in dollars has its twin in whole cents in $name",
  ({ name, schema }) => {
    const missing = moneyIn(schema, name).filter(({ hasTwin }) => !hasTwin);
    expect(missing.map(({ path }) => path)).toEqual([]);
  },
);

test("the amounts are found in lists, choices and objects, null or not", () => {
  const found = [...answers, ...messages].flatMap(({ name, schema }) => moneyIn(schema, name));
  const paths = ["listEvents.events[].maxWager", "SessionsChannel.detail.latest[].wager"];
  expect(found.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
});
