import { takeRandomBytes } from "#src/base/random-bytes.ts";

const NONCE_BYTES = 16;

/** The state of one request and its answer, beside the Request and the Response themselves. */
export type RequestContext = {
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
};

const contexts = new WeakMap<Request, RequestContext>();

/**
 * Creates the context of a request that just arrived.
 * @param requestId the id that a trusted proxy has given it; null: it gets one.
 */
export function createRequestContext(
  request: Request,
  address: string,
  requestId: string | null = null,
): RequestContext {
  const context: RequestContext = {
    requestId: requestId ?? crypto.randomUUID(),
    address,
    startedAtMs: performance.now(),
    nonce: takeRandomBytes(NONCE_BYTES).toString("base64url"),
    styleSources: "",
    cookies: [],
    clearsCache: false,
    route: null,
    closes: false,
  };
  contexts.set(request, context);
  return context;
}

/** The context of a request. */
export function requestContextOf(request: Request): RequestContext {
  return contexts.get(request) ?? createRequestContext(request, "");
}

/** The nonce for the scripts and styles in the answer to this request. */
export function nonceOf(request: Request): string {
  return requestContextOf(request).nonce;
}
