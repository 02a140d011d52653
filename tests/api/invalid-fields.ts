import type { JsonSchema } from "@valibot/to-json-schema";
import { bodySchema, valueSchema } from "#src/api/json-schemas.ts";
import { snakeCase } from "#src/http/contract.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import { pageQuery } from "#src/http/schemas.ts";
import type { Happy } from "./fixture.ts";

/** A request with one invalid field, and the field that the refusal must name. */
export type InvalidRequest = { what: string; happy: Happy; field: string };

/** The happy request once for each field of its body, with that field invalid, and once with an unknown field. */
export function wrongBodies({ body: entries }: Endpoint, happy: Happy): InvalidRequest[] {
  const { body } = happy;
  if (entries === undefined || body === undefined) return [];
  const [root = ""] = Object.keys(entries);
  const key = snakeCase(root);
  const { [key]: resource } = body;
  const schema = partOf(bodySchema(entries), key);
  const wrong = (what: string, field: string, value: unknown) => ({
    what,
    field,
    happy: { ...happy, body: { ...body, [key]: value } },
  });
  if (!isRecord(resource)) return [wrong(`${root} of another type`, root, [{ id: "?" }])];
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]) =>
    wrong(name, camelCase(name), {
      ...resource,
      [name]: invalidValue(typeof part === "boolean" ? {} : part),
    }),
  );
  if (schema.additionalProperties !== false) return fields;
  return [...fields, wrong("an unknown field", "noSuchField", { ...resource, no_such_field: 1 })];
}

/** The happy request once for each query parameter, with that parameter invalid. */
export function wrongQueries({ query = {}, paged }: Endpoint, happy: Happy): InvalidRequest[] {
  const all = paged === true ? { ...query, ...pageQuery.entries } : query;
  return Object.entries(all).flatMap(([name, entry]) => {
    const schema = valueSchema(entry);
    const isFree = schema.type === "string" && schema.enum === undefined && schema.pattern === undefined;
    if (isFree && schema.format === undefined) return [];
    const wrong = { ...happy, query: { ...happy.query, [snakeCase(name)]: "no-such" } };
    return [{ what: `?${name}`, field: name, happy: wrong }];
  });
}

/** A value of a type that the schema does not accept. */
function invalidValue(schema: JsonSchema): unknown {
  const types = new Set(typesIn(schema));
  if (!types.has("boolean")) return true;
  return types.has("number") ? {} : 5;
}

function typesIn({ type, anyOf = [], const: literal, enum: values = [] }: JsonSchema): string[] {
  const listed = literal === undefined ? values : [literal];
  const own = typeof type === "string" ? [type] : (type ?? listed.map((value) => typeof value));
  return [...own, ...anyOf.flatMap((part) => (typeof part === "boolean" ? [] : typesIn(part)))];
}

function partOf({ properties }: JsonSchema, name: string): JsonSchema {
  const part = properties?.[name];
  return typeof part === "object" ? part : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
