import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { $ } from "bun";
import * as v from "valibot";
import { describeApi } from "#src/api/describe-api.ts";
import { describeCable } from "#src/api/describe-messages.ts";

// The client for programs: `client` in dist.packages, which `bun run check` writes, and so each release. Its types are made from the
// documents of this release; the bots in it are compiled against them.
const TOP = path.join(import.meta.dir, "../..");

/** Writes the package into an empty folder of the project: JavaScript with its types, and the bots. */
export async function writeClient(folder: string, version: string): Promise<void> {
  const sources = path.join(folder, "src");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(TOP, "deploy/client"), sources, { recursive: true });
  writeFileSync(path.join(sources, "types.ts"), writeTypes());
  const options = [
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--types",
    "bun-types",
    "--strict",
    "--declaration",
  ];
  await $`${path.join(TOP, "node_modules/.bin/tsc")} ${options} --skipLibCheck --ignoreConfig --rewriteRelativeImportExtensions --rootDir ${sources} --outDir ${folder} ${[...new Bun.Glob("*.ts").scanSync({ cwd: sources, absolute: true })]}`;
  cpSync(path.join(sources, "README.md"), path.join(folder, "README.md"));
  rmSync(sources, { recursive: true });
  const manifest = {
    name: "called-it-client",
    version,
    license: "MIT",
    type: "module",
    exports: "./index.js",
  };
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const node = v.record(v.string(), v.unknown());
type Node = v.InferOutput<typeof node>;
const inside = (part: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((found, key) => (v.is(node, found) ? found[key] : undefined), part);
const entriesOf = (part: unknown) => Object.entries(v.is(node, part) ? part : {});

function writeTypes(): string {
  const api = describeApi();
  const schemas = entriesOf(inside(api, "components", "schemas"));
  const operations = entriesOf(inside(api, "paths")).flatMap(([place, methods]) =>
    entriesOf(methods).map(([method, operation]) =>
      writeOperation(`${method.toUpperCase()} ${place}`, operation),
    ),
  );
  const messages = entriesOf(inside(describeCable(), "channels", "SessionsChannel", "messages"))
    .map(([, message]) => inside(message, "payload", "properties", "message"))
    .filter((message) => inside(message, "properties", "sourceType") !== undefined);
  return [
    ...schemas.map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`),
    `export type Endpoints = {\n${operations.join("\n")}\n};`,
    `export type SessionMessage =\n${messages.map((message) => `  | ${typeOf(message)}`).join("\n")};`,
    "",
  ].join("\n");
}

/** `"GET /api/v1/events/:id": { params: { id: number | string }; query?: ...; body: ...; answer: ... };` */
function writeOperation(place: string, operation: unknown): string {
  const route = place.replaceAll(/\{(\w+)\}/g, ":$1");
  const names = [...route.matchAll(/:(\w+)/g)].map(([, name = ""]) => `${name}: number | string`);
  const query = parametersOf(operation).map(
    ({ name, required, schema }) => `${name}${required ? "" : "?"}: ${typeOf(schema)}`,
  );
  const body = inside(operation, "requestBody", "content", "application/json", "schema");
  const isNeeded = inside(operation, "requestBody", "required") === true;
  const answers = ["200", "201"].map((status) => inside(operation, "responses", status, "content"));
  const answer = answers.find((content) => content !== undefined);
  const json = inside(answer, "application/json", "schema");
  const parts = [
    ...(names.length > 0 ? [`params: { ${names.join("; ")} }`] : []),
    ...(query.length > 0 ? [`query?: { ${query.join("; ")} }`] : []),
    ...(body === undefined ? [] : [`body${isNeeded ? "" : "?"}: ${typeOf(body)}`]),
    `answer: ${json === undefined ? "string" : typeOf(json)}`,
  ];
  return `  ${JSON.stringify(route)}: { ${parts.join("; ")} };`;
}

const parameter = v.object({ name: v.string(), in: v.literal("query"), required: v.boolean(), schema: node });
const parametersOf = (operation: unknown) =>
  v.parse(v.array(v.unknown()), inside(operation, "parameters") ?? []).filter((one) => v.is(parameter, one));

/** A JSON Schema as a type of TypeScript. */
function typeOf(schema: unknown): string {
  const {
    $ref,
    anyOf,
    oneOf,
    enum: values,
    const: value,
    type,
    ...rest
  } = v.parse(v.fallback(node, {}), schema);
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  const parts = anyOf ?? oneOf;
  if (Array.isArray(parts)) return parts.map((part) => `(${typeOf(part)})`).join(" | ");
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(" | ");
  if (type === "array") return `readonly (${listed(rest)})[]`;
  if (type === "object") return objectOf(rest);
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "unknown";
}

/** What a list has: of a list of fixed length, any of its items. */
function listed({ items, prefixItems }: Node): string {
  const each = prefixItems ?? items;
  return Array.isArray(each) ? each.map(typeOf).join(" | ") : typeOf(each);
}

function objectOf({ properties, required, additionalProperties }: Node): string {
  const fields = entriesOf(properties).map(([name, field]) => {
    const isNeeded = Array.isArray(required) && required.includes(name);
    return `${JSON.stringify(name)}${isNeeded ? "" : "?"}: ${typeOf(field)}`;
  });
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  return `{ [name: string]: ${typeOf(additionalProperties)} }`;
}
