import type { Logger } from "pino";
import type { RateLimit } from "#src/base/refusal.ts";
import { camelCase } from "./contract.ts";

const NONCE_BYTES = 16;

/** The state of one request and its answer, beside the Request and the Response themselves. */
export interface RequestContext {
  request: Request;
  /** The path of its address, without the query. */
  path: string;
  /** A browser asks for a page, or submits a form. Some paths serve programs too; /users/sign_in is one. */
  isPage: boolean;
  requestId: string;
  /** The client's address (see clientAddress); empty if there was no connection. */
  address: string;
  /** The address of the connection's other end, which may be a proxy's. */
  peer: string;
  /** From performance.now(). */
  startedAtMs: number;
  /** When its body had arrived, from performance.now(); null before that, and where nobody reads it as text. */
  arrivedAtMs: number | null;
  /** The nonce that this answer's scripts and styles must carry. */
  nonce: string;
  /** Styles that need no nonce: their hashes, as the content security policy names them. Example: `'sha256-47DEQ...'`. */
  styleSources: string;
  /** The page may be in a frame of a page of FRAME_ORIGINS. */
  isFramed: boolean;
  cookies: string[];
  /** The answer signs the browser out: what it has cached is no longer the next user's to see. */
  clearsCache: boolean;
  /** The pattern of the path, such as `/api/v1/events/:id`; null until a route is found. It is counted, so it has no ids. */
  route: string | null;
  /** The connection is closed with the answer, because the rest of the request is not waited for. */
  closes: boolean;
  /** What is left of the rate limits that have counted the request. */
  rateLimits: RateLimit[];
  /** The body as text, once it is being read: a request that is answered from the start again still has it. */
  text: Promise<string> | null;
}

/**
 * Creates the context of a request that just arrived.
 * @param requestId the id that a trusted proxy has given it; null: it gets one.
 */
export function createRequestContext(
  request: Request,
  address: string,
  requestId: string | null = null,
): RequestContext {
  const path = new URL(request.url).pathname;
  return {
    request,
    path,
    isPage: asksForPage(request, path),
    requestId: requestId ?? crypto.randomUUID(),
    address,
    peer: address,
    startedAtMs: performance.now(),
    arrivedAtMs: null,
    nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(NONCE_BYTES))).toString("base64url"),
    styleSources: "",
    isFramed: false,
    cookies: [],
    clearsCache: false,
    route: null,
    closes: false,
    rateLimits: [],
    text: null,
  };
}

/** What is below these paths is for programs: no page is there. */
const programPath = /^\/(api|cable|dev|oembed)(\/|$)/;
export const DASHBOARD_PATH = "/admin/queues";
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** False for a path with an escape that is no UTF-8, such as %ff: it is the name of nothing, and no router can read it. */
export function isReadablePath(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** True for an address that gives a parameter twice, of which two readers may take different ones. */
export function repeatsParameter({ url }: Request): boolean {
  const start = url.indexOf("?");
  if (start === -1 || !url.includes("&", start)) return false;
  const names = Array.from(new URLSearchParams(url.slice(start)).keys(), camelCase);
  return new Set(names).size < names.length;
}

export function isDashboardPath(path: string): boolean {
  return path === DASHBOARD_PATH || path.startsWith(`${DASHBOARD_PATH}/`);
}

export function isSafeMethod({ method }: Request): boolean {
  return safeMethods.has(method);
}

/** True if a browser asks for a page or submits a form. False for the API, and for requests that accept JSON. */
function asksForPage(request: Request, path: string): boolean {
  if (programPath.test(path)) return false;
  if (request.method === "GET" || request.method === "HEAD") return !asksForJson(request);
  return request.method === "POST" && isForm(request);
}

function isForm(request: Request): boolean {
  const type = request.headers.get("content-type")?.toLowerCase() ?? "";
  return formTypes.some((form) => type.startsWith(form));
}

function asksForJson(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

type Answered = {
  status: number;
  userId: number | null;
  /** The access token of a program. */
  tokenId: number | null;
};

/** Longer than any path of ours. */
const PATH_LENGTH_MAX = 300;

/**
 * Logs one line per request. The path is logged without its query, because links in mails carry secrets there, and its start only
 * if a stranger has made it longer than ours are.
 */
export function logRequest(
  log: Logger,
  { request, path: whole, requestId, startedAtMs }: RequestContext,
  { status, userId, tokenId }: Answered,
): void {
  const tookMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
  const path = whole.slice(0, PATH_LENGTH_MAX);
  const fields = { requestId, method: request.method, path, status, tookMs, userId };
  if (tokenId !== null) Object.assign(fields, { tokenId });
  log.info(fields, "answered");
}
