import type { Deps } from "#src/base/deps.ts";
import { REPLICA_LAG_MAX_MS } from "#src/base/replica.ts";
import { readOwnCookie, writeCookie } from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";

// Decision: the replica answers what may be two seconds old and follows no stream: a page that continues a stream is read from the
// primary, because the replica may be older than the page's offset. A browser that has changed anything reads from the primary for
// as long as the replica may be behind. And the replica never has the last word when it says no.

/** Notes that this browser has changed something a moment ago. */
const NAME = "called_it_wrote";
/** One second more, because a browser keeps whole seconds. */
const KEPT_S = REPLICA_LAG_MAX_MS / 1_000 + 1;

type LateDeps = Pick<Deps, "env" | "pool" | "replica" | "log">;

/**
 * Answers a read from the replica, where there is a fresh one and the caller has changed nothing a moment ago; otherwise from the
 * primary. Where the read on the replica fails or refuses, the primary is asked.
 * @param read gets the dependencies with the pool to use; `late`: it is the replica's.
 */
export async function readLate<Given extends LateDeps, Result>(
  deps: Given,
  request: Request,
  read: (deps: Given, options: { late: boolean }) => Promise<Result>,
): Promise<Result> {
  const pool = hasJustWritten(deps, request) ? null : (deps.replica?.pool() ?? null);
  if (pool === null) return read(deps, { late: false });
  try {
    // A file is streamed after its headers: then it is too late to ask another server.
    await pool.sql`SELECT 1`;
    return await read({ ...deps, pool }, { late: true });
  } catch (error) {
    deps.log.debug({ err: error }, "the replica has no answer; the primary is asked");
    return read(deps, { late: false });
  }
}

/** Programs keep no cookies, so they always count as having written. */
function hasJustWritten({ env }: LateDeps, request: Request): boolean {
  return request.headers.has("authorization") || readOwnCookie(env, request, NAME) !== null;
}

/** Notes in the answer to a request that may have changed something that this browser reads from the primary for a while. */
export function noteWrite(
  { env, replica }: Pick<Deps, "env" | "replica">,
  request: Request,
  { cookies }: RequestContext,
): void {
  if (replica === undefined || request.method === "GET" || request.method === "HEAD") return;
  cookies.push(writeCookie(env, NAME, "1", KEPT_S));
}
