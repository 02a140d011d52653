import { Elysia } from "elysia";
import { malformed, Refusal } from "#src/base/refusal.ts";
import {
  type BodyLimit,
  FILE_LIMIT,
  FORM_LIMIT,
  JSON_LIMIT,
  refuseLargeJson,
  tooLarge,
  WEBHOOK_BYTES_MAX,
} from "./body-limit.ts";
import { carriesFile, isPageRequest, isSignedPath, pathOf } from "./page-request.ts";
import { readText } from "./read-body.ts";

/** The limit that the endpoint of a request has of its own; undefined: JSON_LIMIT. */
type OwnLimit = (request: Request) => BodyLimit | undefined;

/**
 * Parses JSON bodies for all routes of the server; `body` is null for an empty body. Forms and files are left to their
 * handlers. Refuses a body that is not JSON (415), too large (413), too slow (408) or malformed (400).
 */
export function jsonParser(ownLimit: OwnLimit) {
  return new Elysia({ name: "parsing-json" }).onParse({ as: "global" }, async ({ request, contentType }) => {
    if (request.body === null || isReadByHandler(request)) return null;
    if (!isJson(contentType)) throw notJson();
    const limit = ownLimit(request) ?? JSON_LIMIT;
    refuseLength(request, limit.bytes);
    const text = await readText(request, limit.bytes);
    if (text === "") return null;
    refuseLargeJson(text, limit);
    return parse(text);
  });
}

/** Refuses a request for a handler that reads its body, if its Content-Length is too large: 413. */
export function refuseTooLarge(request: Request): void {
  if (isReadByHandler(request)) refuseLength(request, bytesMaxOf(request));
}

function refuseLength({ headers }: Request, bytesMax: number): void {
  if (Number(headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

function bytesMaxOf(request: Request): number {
  if (carriesFile(request)) return FILE_LIMIT.bytes;
  return isSignedPath(pathOf(request)) ? WEBHOOK_BYTES_MAX : FORM_LIMIT.bytes;
}

/** True for forms, files, and messages whose signature covers the raw bytes. */
function isReadByHandler(request: Request): boolean {
  return isPageRequest(request) || carriesFile(request) || isSignedPath(pathOf(request));
}

function isJson(contentType: string): boolean {
  const type = contentType.trim().toLowerCase();
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
