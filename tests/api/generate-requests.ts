import type { JsonSchema } from "@valibot/to-json-schema";
import * as fc from "fast-check";
import * as v from "valibot";
import { describeApi } from "#src/api/describe-api.ts";
import { anything, mostlyValid } from "./arbitrary.ts";

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

/** A generated request. */
export type GeneratedRequest = {
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
export function generateRequests(
  ids: readonly number[],
  slugs: readonly string[],
): fc.Arbitrary<GeneratedRequest> {
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
