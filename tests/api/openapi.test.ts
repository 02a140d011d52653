import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as v from "valibot";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { describeApi } from "#src/api/describe-api.ts";
import { namedSchemas } from "#src/api/json-schemas.ts";
import { createServer } from "#src/server.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);

const ask = (headers: Record<string, string> = {}) =>
  server.handle(new Request("http://localhost:3000/api/openapi.json", { headers }));
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
    const { answer, status = answer === undefined ? 204 : 200 } = entry?.endpoint ?? {};
    expect(Object.keys(responses)).toContain(String(status));
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

test("every $ref in it resolves", () => {
  const whole = JSON.stringify(describeApi());
  const targets = [...new Set(whole.matchAll(/"\$ref":"#\/([^"]+)"/g).map(([, path = ""]) => path))];
  const dangling = targets.filter((path) => {
    let node: unknown = JSON.parse(whole);
    for (const part of path.split("/")) {
      node =
        typeof node === "object" && node !== null
          ? Object.entries(node).find(([key]) => key === part)?.[1]
          : undefined;
    }
    return node === undefined;
  });
  expect(dangling).toEqual([]);
  expect(targets.length).toBeGreaterThan(30);
});

test("every example in it matches its schema", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const whole = describeApi();
  ajv.addSchema(whole, "api");
  const found = examplesIn(whole, "");
  const invalid = found.filter(({ at, example }) => !ajv.validate({ $ref: `api#${at}/schema` }, example));
  expect(invalid).toEqual([]);
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

test("it is publicly cacheable, and a client with a cached copy gets 304", async () => {
  const first = await ask();
  expect(first.headers.get("cache-control")).toBe("public, max-age=300");
  expect(first.headers.getSetCookie()).toEqual([]);
  expect(first.headers.get("x-csrf-token")).toBeNull();
  const again = await ask({ "if-none-match": first.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});
