import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as v from "valibot";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { describeApi } from "#src/api/describe-api.ts";
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

test("every endpoint is in it once, in a known chapter, with the answer that its line says", async () => {
  const { openapi, tags, paths } = v.parse(document, await (await ask()).json());
  expect(openapi).toBe("3.1.0");
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names)).toEqual(new Set(allEndpoints.map(({ name }) => name)));
  expect(names).toHaveLength(allEndpoints.length);
  for (const { operationId, tags: own, responses } of operations) {
    const line = allEndpoints.find(({ name }) => name === operationId);
    expect(tags.map(({ name }) => name)).toContain(own[0] ?? "");
    const { answer, status = answer === undefined ? 204 : 200 } = line?.endpoint ?? {};
    expect(Object.keys(responses)).toContain(String(status));
  }
});

test("every reference in it leads somewhere", () => {
  const whole = JSON.stringify(describeApi());
  const leads = [...new Set(whole.matchAll(/"\$ref":"#\/([^"]+)"/g).map(([, path = ""]) => path))];
  const dangling = leads.filter((path) => {
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
  expect(leads.length).toBeGreaterThan(30);
});

test("every example in it fits its own schemas", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const whole = describeApi();
  ajv.addSchema(whole, "api");
  const found = examplesIn(whole, "");
  const misfits = found.filter(({ at, example }) => !ajv.validate({ $ref: `api#${at}/schema` }, example));
  expect(misfits).toEqual([]);
  expect(found.length).toBeGreaterThan(allEndpoints.length);
});

/** Every example that stands beside a schema, and where. */
function examplesIn(node: unknown, at: string): { at: string; example: unknown }[] {
  if (typeof node !== "object" || node === null) return [];
  if ("schema" in node && "example" in node) return [{ at, example: node.example }];
  return Object.entries(node).flatMap(([key, part]) => examplesIn(part, `${at}/${pointed(key)}`));
}

/** A key as a JSON pointer in an address names it. */
function pointed(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}

test("it may be kept by everybody, and whoever has it is told so", async () => {
  const first = await ask();
  expect(first.headers.get("cache-control")).toBe("public, max-age=300");
  expect(first.headers.getSetCookie()).toEqual([]);
  expect(first.headers.get("x-csrf-token")).toBeNull();
  const again = await ask({ "if-none-match": first.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});
