import { currentCause, runFor } from "#src/base/cause.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { readPage } from "#src/http/check-input.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { listTransactions } from "#src/money/wallet/list-transactions.ts";
import { listCalls } from "#src/play/calls/list-calls.ts";
import type { PageReads } from "./contract.ts";

export type BeginList = (userId: number) => void;

const firstPage = readPage({});

/**
 * The list of a page, which can be read together with its sign-in. Whether the sign-in is valid is not known yet: the endpoint
 * decides that before it gives the list away. Null for a page without a list, and for another page of it.
 */
export function listOf(
  { pool }: Deps,
  context: RequestContext,
  { list, slugOrId }: { list: PageReads["list"]; slugOrId: string | undefined },
): BeginList | null {
  if (list === undefined || context.request.url.includes("?")) return null;
  const cause = currentCause();
  if (list === "transactions")
    return (userId) => {
      const asked = { userId, page: firstPage };
      const reading = runFor(cause, () => listTransactions(pool, asked, serverNow()));
      context.knownTransactions = begun(asked, reading);
    };
  return (userId) => {
    const asked = { viewer: { id: userId }, query: { sessionId: slugOrId }, page: firstPage };
    // Its page shows the calls with the session, which is asked for in the viewer's name.
    const reading = runFor(cause, () => listCalls(pool.db, asked, { now: serverNow(), asker: "host" }));
    context.knownCalls = begun(asked, reading);
  };
}

/** Answers the endpoint with what is being read, if it is asked for the same. */
function begun<Answer>(
  asked: unknown,
  reading: Promise<Answer>,
): (question: unknown) => Promise<Answer> | null {
  // A page that is refused does not ask for it.
  reading.catch(() => undefined);
  return (question) => (Bun.deepEquals(question, asked) ? reading : null);
}
