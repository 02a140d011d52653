import { takeRandomBytes } from "#src/base/random-bytes.ts";
import { asksForPage } from "./page-request.ts";

const NONCE_BYTES = 16;

// Decision: the state of a request is one object, made where the request is received and handed on to all that answer it. A room that
// keeps something for a request declares its property beside the code that sets it (`declare module`), so this room knows no other.

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
  /** From performance.now(). */
  startedAtMs: number;
  /** The nonce that this answer's scripts and styles must carry. */
  nonce: string;
  /** Styles that need no nonce: their hashes, as the content security policy names them. Example: `'sha256-47DEQ...'`. */
  styleSources: string;
  /** The Set-Cookie headers of the answer. */
  cookies: string[];
  /** The answer signs the browser out: what it has cached is no longer the next user's to see. */
  clearsCache: boolean;
  /** The pattern of the path, such as `/api/v1/events/:id`; null until a route is found. It is counted, so it has no ids. */
  route: string | null;
  /** The connection is closed with the answer, because the rest of the request is not waited for. */
  closes: boolean;
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
    startedAtMs: performance.now(),
    nonce: takeRandomBytes(NONCE_BYTES).toString("base64url"),
    styleSources: "",
    cookies: [],
    clearsCache: false,
    route: null,
    closes: false,
    text: null,
  };
}
