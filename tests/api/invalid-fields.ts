import type { JsonSchema } from "@valibot/to-json-schema";
import { bodySchema, valueSchema } from "#src/api/json-schemas.ts";
import { snakeCase } from "#src/http/contract.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import { pageQuery } from "#src/http/schemas.ts";
import type { Happy } from "./stage.ts";

/** A request that is wrong in one field, and the field that must be named. */
export type Wrong = { what: string; happy: Happy; field: string };

/** The happy request with each field of its body wrong in turn, and with one that is not known. */
export function wrongBodies({ body: entries }: Endpoint, happy: Happy): Wrong[] {
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
  if (!isRecord(resource)) return [wrong(`${root} of something else`, root, [{ id: "?" }])];
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]) =>
    wrong(name, camelCase(name), { ...resource, [name]: misfit(typeof part === "boolean" ? {} : part) }),
  );
  if (schema.additionalProperties !== false) return fields;
  return [...fields, wrong("an unknown field", "noSuchField", { ...resource, no_such_field: 1 })];
}

/** The happy request with each part of its query wrong in turn. */
export function wrongQueries({ query = {}, paged }: Endpoint, happy: Happy): Wrong[] {
  const all = paged === true ? { ...query, ...pageQuery.entries } : query;
  return Object.entries(all).flatMap(([name, shape]) => {
    const schema = valueSchema(shape);
    const isFree = schema.type === "string" && schema.enum === undefined && schema.pattern === undefined;
    if (isFree && schema.format === undefined) return [];
    const wrong = { ...happy, query: { ...happy.query, [snakeCase(name)]: "no-such" } };
    return [{ what: `?${name}`, field: name, happy: wrong }];
  });
}

/** A value of a type that the schema does not take. */
function misfit(schema: JsonSchema): unknown {
  const types = new Set(typesIn(schema));
  if (!types.has("boolean")) return true;
  return types.has("number") ? {} : 5;
}

function typesIn({ type, anyOf = [], enum: values = [] }: JsonSchema): string[] {
  const own = typeof type === "string" ? [type] : (type ?? values.map((value) => typeof value));
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
