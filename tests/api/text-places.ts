import type { JsonSchema } from "@valibot/to-json-schema";
import type { NamedEndpoint } from "#src/api/all-endpoints.ts";
import { bodySchema } from "#src/api/json-schemas.ts";
import type { Happy } from "./fixture.ts";
import { buildRequest } from "./send-request.ts";

type Step = string | number;

/** Where a body of this schema has texts. */
function textsIn(schema: JsonSchema | boolean | undefined, path: Step[] = []): Step[][] {
  if (schema === undefined || typeof schema === "boolean") return [];
  const { type, anyOf = [], properties = {}, items } = schema;
  if (type === "string") return [path];
  if (type === "array") return textsIn(Array.isArray(items) ? items[0] : items, [...path, 0]);
  const inside = Object.entries(properties).flatMap(([name, part]) => textsIn(part, [...path, name]));
  return [...inside, ...anyOf.flatMap((part) => textsIn(part, path))];
}

/** The value with a text at this place, which is made where it is not there. */
function withText(value: unknown, [step, ...rest]: Step[], text: string): unknown {
  if (step === undefined) return text;
  if (typeof step === "number") return [withText(Array.isArray(value) ? value[0] : undefined, rest, text)];
  const parts = typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  return { ...parts, [step]: withText(parts[step], rest, text) };
}

/** A place of a request that may have any text. */
type TextPlace = { where: string; isInBody: boolean; requestOf: (text: string) => Request };

/** The places of a happy request: each text of its body, each parameter of its query and of its path. */
export function textPlaces({ name, endpoint }: NamedEndpoint, happy: Happy): TextPlace[] {
  const { body = {}, query = {}, params = {}, route } = endpoint;
  const places = route.startsWith("GET ") ? [] : textsIn(bodySchema(body));
  return [
    ...places.map((path) => ({
      where: `${name} ${path.join(".")}`,
      isInBody: true,
      requestOf: (text: string) =>
        buildRequest(endpoint, happy, { text: JSON.stringify(withText(happy.body, path, text)) }),
    })),
    ...Object.keys(query).map((key) => ({
      where: `${name} ?${key}=`,
      isInBody: false,
      requestOf: (text: string) =>
        buildRequest(endpoint, { ...happy, query: { ...happy.query, [key]: text.toWellFormed() } }),
    })),
    ...Object.keys(params).map((key) => ({
      where: `${name} :${key}`,
      isInBody: false,
      requestOf: (text: string) => {
        const part = encodeURIComponent(text.toWellFormed());
        return buildRequest(endpoint, { ...happy, params: { ...happy.params, [key]: part } });
      },
    })),
  ];
}
