import type { Endpoint } from "./endpoint.ts";
import type { ListMeta } from "./schemas.ts";

// Decision: reads of the game may be cached by the client; personal data may not. Reads whose endpoint has `etag` get a weak
// tag over their bytes without the server's time, and must be revalidated each time. All other answers are `no-store` and
// have no tag. src/pages/ssr/page-files.ts decides about pages.

/** Clients revalidate a stored answer on every use; shared caches do not store it. */
const CACHE_CONTROL = "private, no-cache";
/** The part that differs between two equal answers. Quotes inside JSON strings are escaped, so texts never match. */
const VOLATILE = /"serverTime":"[^"]*"/g;

/**
 * Adds headers to an endpoint's answer. A page of a list gets a Link header. The answer of an endpoint with `etag` gets an
 * ETag, and becomes a 304 if the client has it already. An answer without an ETag must not be stored (security-headers.ts).
 * @param answer what the handler returned.
 */
export function finishAnswer(
  answer: unknown,
  { paged, newestFirst, etag }: Pick<Endpoint, "paged" | "newestFirst" | "etag">,
  { request, set }: { request: Request; set: { headers: Record<string, string | number> } },
): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  if (paged === true && hasMeta(answer))
    set.headers["link"] = pageLinks(request.url, answer.meta, newestFirst === true);
  // A handler that returns a response has tagged it.
  if (answer instanceof Response) return answer;
  if (etag !== true) return paged === true ? jsonAnswer(JSON.stringify(answer)) : answer;
  const text = JSON.stringify(answer);
  const tag = tagOf(answer, text);
  Object.assign(set.headers, { etag: tag, "cache-control": CACHE_CONTROL, vary: "cookie" });
  if (hasCurrent(request, tag)) return new Response(null, { status: 304 });
  return jsonAnswer(text);
}

function jsonAnswer(text: string): Response {
  return new Response(wholeBody(text), { headers: { "content-type": "application/json" } });
}

/**
 * The ETag of an answer. It is weak, because it ignores the server's time. If the answer holds a single record with a
 * version, the tag begins with that version, so that If-Match can read it. Example: `W/"12-9f2c"` is version 12.
 * @param text the answer as JSON.
 */
function tagOf(answer: object, text: string): string {
  const version = versionIn(answer);
  const hash = Bun.hash(text.replaceAll(VOLATILE, "")).toString(36);
  return version === null ? `W/"${hash}"` : `W/"${version}-${hash}"`;
}

/** `{session: {version: 12}}` -> 12; null if there are several values or no version. */
function versionIn(answer: object): number | null {
  const [value, another]: unknown[] = Object.values(answer);
  if (another !== undefined || typeof value !== "object" || value === null) return null;
  return "version" in value && typeof value.version === "number" ? value.version : null;
}

/**
 * The Link header of a page of a list: the addresses of its first, last, next and previous page.
 * @param url the address of this page. Its filters are part of all links.
 * @param isStable whether the links say how many rows there were at the first page.
 */
function pageLinks(url: string, meta: ListMeta, isStable: boolean): string {
  const { currentPage, perPage, totalCount } = meta;
  const { pathname, searchParams } = new URL(url);
  const counted = Number(searchParams.get("counted") ?? totalCount);
  const totalPages = isStable ? Math.max(1, Math.ceil(counted / perPage)) : meta.totalPages;
  const pages = {
    first: 1,
    last: totalPages,
    next: currentPage < totalPages ? currentPage + 1 : null,
    prev: currentPage > 1 ? Math.min(currentPage - 1, totalPages) : null,
  };
  return Object.entries(pages)
    .flatMap(([rel, page]) => {
      if (page === null) return [];
      const query = new URLSearchParams(searchParams);
      query.set("page", String(page));
      if (isStable && page > 1) query.set("counted", String(counted));
      return [`<${pathname}?${query.toString()}>; rel="${rel}"`];
    })
    .join(", ");
}

// Decision: a list that begins with its newest rows is read on by numbers of pages, as people do, and its links carry how many rows
// there were at the first page. What has come since is skipped, so a program that follows the links reads no row twice.

type PagedRequest = { page: { page: number; perPage: number; offset: number } };

/**
 * Reads a page, and once more further on if rows have come since the first page.
 * @param counted how many rows there were then; undefined where the request does not say.
 */
export async function readStable<Request extends PagedRequest>(
  request: Request,
  counted: number | undefined,
  read: (request: Request) => unknown,
): Promise<unknown> {
  const answer = await read(request);
  if (counted === undefined || request.page.page === 1 || !hasMeta(answer)) return answer;
  const added = answer.meta.totalCount - counted;
  if (added <= 0) return answer;
  const { page } = request;
  return read({ ...request, page: { ...page, offset: page.offset + added } });
}

function hasMeta(answer: unknown): answer is { meta: ListMeta } {
  if (typeof answer !== "object" || answer === null || !("meta" in answer)) return false;
  const { meta } = answer;
  return typeof meta === "object" && meta !== null && "currentPage" in meta && "totalPages" in meta;
}

/** The headers that a 304 keeps (RFC 9110, 15.4.5). */
const headersOf304 = new Set(["cache-control", "content-location", "date", "etag", "expires", "vary"]);
const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/**
 * True if `If-None-Match` names this tag or `*`: the client has the answer already. Tags are compared weakly, so `W/"a"` equals `"a"`
 * (RFC 9110, 13.1.2).
 */
function hasCurrent(request: Request, etag: string): boolean {
  const known = request.headers.get("if-none-match")?.trim();
  if (known === undefined) return false;
  return known === "*" || opaqueTagsIn(known).includes(opaqueTagsIn(etag)[0] ?? "");
}

/**
 * The 304 for a client that has the current answer; null if it must be sent.
 * @param headers of the answer, with its `etag`.
 */
export function notModified(request: Request, headers: Headers): Response | null {
  const etag = headers.get("etag");
  if (etag === null || !hasCurrent(request, etag)) return null;
  const kept = [...headers].filter(([name]) => headersOf304.has(name));
  return new Response(null, { status: 304, headers: kept });
}

/** Tags without their `W/`. A comma may be part of a tag. */
function opaqueTagsIn(header: string): string[] {
  return [...header.matchAll(ENTITY_TAG)].map(([, opaque = ""]) => opaque);
}

/** Of an answer whose headers and body fit into the server's send buffer of 16 KB, with room for the headers. */
const BUFFERED_BYTES_MAX = 8_192;

const encoder = new TextEncoder();

/**
 * The body of an answer that is complete. Bun sends an answer that comes after an `await` and does not fit into its send buffer with
 * one system call for each part of each header, dozens a page. A stream of one piece is sent with two calls.
 * See https://github.com/oven-sh/bun/pull/41341: once it is released, this file can go.
 */
export function wholeBody(body: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | ReadableStream {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  if (bytes.length <= BUFFERED_BYTES_MAX) return bytes;
  return new ReadableStream({
    start: (stream) => {
      stream.enqueue(bytes);
      stream.close();
    },
  });
}
