import type { JsonSchema } from "@valibot/to-json-schema";
import * as fc from "fast-check";
import * as v from "valibot";
import { describeApi } from "#src/api/describe-api.ts";
import { anything, roughly } from "./arbitrary.ts";

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

/** A request that was made up. */
export type MadeUp = {
  name: string;
  method: string;
  address: string;
  /** Undefined for none. */
  body: string | undefined;
};

/**
 * Requests of all kinds that the OpenAPI document tells of: most of them nearly right, some of them anything at all.
 * @param ids numbers of rows that may be there.
 * @param slugs texts that name something.
 */
export function requestsOf(ids: readonly number[], slugs: readonly string[]): fc.Arbitrary<MadeUp> {
  const { paths } = v.parse(document, describeApi());
  const all = Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, told]) => ({ template, method, told })),
  );
  return fc.oneof(...all.map((one) => requestOf(one, ids, slugs)));
}

type Told = { template: string; method: string; told: v.InferOutput<typeof operation> };

function requestOf(
  { template, method, told }: Told,
  ids: readonly number[],
  slugs: readonly string[],
): fc.Arbitrary<MadeUp> {
  const part = ({ schema }: { schema: JsonSchema }) =>
    schema.type === "integer"
      ? fc.oneof(
          fc.constantFrom(...ids).map(String),
          fc.constantFrom("0", "-1", "1e3", "999999999", "9007199254740993"),
        )
      : fc.oneof(fc.constantFrom(...slugs), fc.string({ minLength: 1, maxLength: 30 }));
  const named = (place: string) => told.parameters.filter((parameter) => parameter.in === place);
  const params = fc.record(Object.fromEntries(named("path").map((one) => [one.name, part(one)])));
  const query = fc.record(
    Object.fromEntries(named("query").map(({ name, schema }) => [name, roughly(schema, ids)])),
    { requiredKeys: [] },
  );
  const schema = told.requestBody?.content["application/json"].schema;
  return fc
    .record({ params, query, body: schema === undefined ? fc.constant(undefined) : bodies(schema, ids) })
    .map(({ params: parts, query: asked, body }) => ({
      name: told.operationId,
      method: method.toUpperCase(),
      address:
        template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(parts[name] ?? "").replaceAll(".", "%2E"),
        ) + searchOf(asked),
      body,
    }));
}

function bodies(schema: JsonSchema, ids: readonly number[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 20, arbitrary: roughly(schema, ids).map((body) => JSON.stringify(body)) },
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
