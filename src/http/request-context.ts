import { randomBytes } from "node:crypto";

const NONCE_BYTES = 16;

/** What belongs to one request and its answer, beside what the two say themselves. */
export type Exchange = {
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

const exchanges = new WeakMap<Request, Exchange>();

/** Begins the exchange of a request that just arrived. */
export function beginExchange(request: Request, address: string): Exchange {
  const exchange = {
    requestId: crypto.randomUUID(),
    address,
    startedAtMs: performance.now(),
    nonce: randomBytes(NONCE_BYTES).toString("base64url"),
    cookies: [],
  };
  exchanges.set(request, exchange);
  return exchange;
}

/** The exchange that a request belongs to. */
export function exchangeOf(request: Request): Exchange {
  return exchanges.get(request) ?? beginExchange(request, "");
}

/** True where a request belongs to an exchange that has begun: one that the server makes to itself. */
export function hasExchange(request: Request): boolean {
  return exchanges.has(request);
}

/** Lets a request that the server makes to itself belong to the exchange of the one it answers. */
export function joinExchange({ from, to }: { from: Request; to: Request }): void {
  exchanges.set(to, exchangeOf(from));
}

/** The nonce for the scripts and styles in the answer to this request. */
export function nonceOf(request: Request): string {
  return exchangeOf(request).nonce;
}
