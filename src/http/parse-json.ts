import { Elysia } from "elysia";
import { malformed, Refusal } from "#src/base/refusal.ts";
import { UPLOAD_BYTES_MAX } from "./contract.ts";
import { carriesFile, isPageRequest, isSignedPath, pathOf } from "./page-request.ts";
import { BODY_BYTES_MAX, readText, tooLarge } from "./read-text.ts";

/** A file, and what a form puts around it. */
const FILE_BODY_BYTES_MAX = UPLOAD_BYTES_MAX + 65_536;

/**
 * Reads bodies as JSON, for all routes of the server: `body` is what was sent, null where nothing was. Forms and files
 * are left for those who read them. Refuses what is not JSON (415), too large (413) or broken (400).
 */
export function parsingJson() {
  return new Elysia({ name: "parsing-json" }).onParse({ as: "global" }, async ({ request, contentType }) => {
    if (request.body === null || isReadElsewhere(request)) return null;
    if (!isJson(contentType)) throw notJson();
    const text = await readText(request);
    if (text === "") return null;
    return parse(text);
  });
}

/** 413 where a request says that it is larger than we take. */
export function refuseTooLarge(request: Request): void {
  const bytes = Number(request.headers.get("content-length") ?? 0);
  if (bytes <= BODY_BYTES_MAX) return;
  if (!carriesFile(request)) throw tooLarge("1 MB");
  if (bytes > FILE_BODY_BYTES_MAX) throw tooLarge("5 MB");
}

/** Forms, files, and messages whose signature is over their very bytes. */
function isReadElsewhere(request: Request): boolean {
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
