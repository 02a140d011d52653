import { randomBytes } from "node:crypto";

const NONCE_BYTES = 16;

/** What belongs to one request and its answer, beside what the two say themselves. */
export type RequestContext = {
  requestId: string;
  /** Where the request came from, as far as proxies are trusted; empty where there was no connection. */
  address: string;
  /** From performance.now(). */
  startedAtMs: number;
  /** What this answer's scripts and styles must carry. */
  nonce: string;
  /** The Set-Cookie lines of the answer. */
  cookies: string[];
};

const contexts = new WeakMap<Request, RequestContext>();

/** Begins the exchange of a request that just arrived. */
export function createRequestContext(request: Request, address: string): RequestContext {
  const exchange = {
    requestId: crypto.randomUUID(),
    address,
    startedAtMs: performance.now(),
    nonce: randomBytes(NONCE_BYTES).toString("base64url"),
    cookies: [],
  };
  contexts.set(request, exchange);
  return exchange;
}

/** The exchange that a request belongs to. */
export function requestContextOf(request: Request): RequestContext {
  return contexts.get(request) ?? createRequestContext(request, "");
}

/** True where a request belongs to an exchange that has begun: one that the server makes to itself. */
export function hasRequestContext(request: Request): boolean {
  return contexts.has(request);
}

/** Lets a request that the server makes to itself belong to the exchange of the one it answers. */
export function shareRequestContext({ from, to }: { from: Request; to: Request }): void {
  contexts.set(to, requestContextOf(from));
}

/** The nonce for the scripts and styles in the answer to this request. */
export function nonceOf(request: Request): string {
  return requestContextOf(request).nonce;
}
