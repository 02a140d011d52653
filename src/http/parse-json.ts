import { Elysia } from "elysia";
import { malformed, Refusal } from "#src/base/refusal.ts";
import { UPLOAD_BYTES_MAX } from "./contract.ts";
import { carriesFile, isPageRequest, isSignedPath, pathOf } from "./page-request.ts";
import { BODY_BYTES_MAX, readText, tooLarge } from "./read-text.ts";

/** A file, and the form fields around it. */
const FILE_BODY_BYTES_MAX = UPLOAD_BYTES_MAX + 65_536;

/**
 * Parses JSON bodies for all routes of the server; `body` is null for an empty body. Forms and files are left to their
 * handlers. Refuses a body that is not JSON (415), too large (413) or malformed (400).
 */
export function jsonParser() {
  return new Elysia({ name: "parsing-json" }).onParse({ as: "global" }, async ({ request, contentType }) => {
    if (request.body === null || isReadByHandler(request)) return null;
    if (!isJson(contentType)) throw notJson();
    const text = await readText(request);
    if (text === "") return null;
    return parse(text);
  });
}

/** Refuses a request whose Content-Length is too large: 413. */
export function refuseTooLarge(request: Request): void {
  const bytes = Number(request.headers.get("content-length") ?? 0);
  if (bytes <= BODY_BYTES_MAX) return;
  if (!carriesFile(request)) throw tooLarge("1 MB");
  if (bytes > FILE_BODY_BYTES_MAX) throw tooLarge("5 MB");
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
