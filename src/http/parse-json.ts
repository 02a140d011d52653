import { malformed, Refusal } from "#src/base/refusal.ts";
import { type BodyLimit, JSON_LIMIT, refuseLargeJson, tooLarge } from "./body-limit.ts";
import { readText } from "./read-body.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Reads and parses the body of a request; null for an empty one. Refuses a body that is not JSON (415), too large (413), too slow
 * (408) or malformed (400).
 */
export async function readJson(context: RequestContext, limit: BodyLimit = JSON_LIMIT): Promise<unknown> {
  const { body, headers, method } = context.request;
  if (body === null || method === "GET" || method === "HEAD") return null;
  if (!isJson(headers.get("content-type") ?? "")) throw notJson();
  refuseLength(headers, limit.bytes);
  const text = await readText(context, limit.bytes);
  if (text === "") return null;
  refuseLargeJson(text, limit);
  return parse(text);
}

/** Refuses a request whose Content-Length is too large: 413. */
export function refuseLength(headers: Headers, bytesMax: number): void {
  if (Number(headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

function isJson(contentType: string): boolean {
  const [type = ""] = contentType.split(";").map((part) => part.trim().toLowerCase());
  return type === "application/json" || (type.startsWith("application/") && type.endsWith("+json"));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("The body is not valid JSON.");
  }
}

function notJson(): Refusal {
  return new Refusal(
    415,
    "unsupported_media_type",
    "The body must be JSON (Content-Type: application/json).",
  );
}
