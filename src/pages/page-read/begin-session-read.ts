import type { Deps } from "#src/base/deps.ts";
import { inSpan } from "#src/base/spans.ts";
import { camelCase } from "#src/http/contract.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { readAccessToken } from "#src/people/sign-ins/access-tokens.ts";
import type { FoundEndpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { readSignInCookie } from "#src/people/sign-ins/sign-in-cookie.ts";
import { readSessionKey } from "#src/play/find-session-id.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import { EVENTS_SHOWN } from "#src/show/sessions/pages/contract.ts";
import { eventsIn, leadersIn, sessionIn } from "./present-shared.ts";
import { type PageRead, readForRequest } from "./read-for-request.ts";

// Decision: the endpoint asks for the known answer first, decides who may read it, and queries what is not known. Both ways give
// the same bytes. So such a request costs one round trip where the process knows the session.

const nothing = { places: false, events: false, leaders: false };

/**
 * Begins to read a session for a request over the API whose endpoint says so, together with the sign-in. Call it before the request
 * is authenticated. What was not read, the endpoint queries: an unknown session, the events that only admins see, a list that is
 * longer than the snapshot's. Programs with a token and addresses with encoded letters are left to the endpoint too.
 */
export function beginSessionRead(
  deps: Deps,
  context: RequestContext,
  { endpoint: { reads }, params }: FoundEndpoint,
): void {
  const { request } = context;
  if (reads === undefined || request.url.includes("%") || readAccessToken(request) !== null) return;
  const slugOrId = params[reads.by] ?? readParameter(request, reads.by);
  const key = slugOrId === undefined ? null : readSessionKey(slugOrId);
  if (key === null) return;
  const { part } = reads;
  const parts = { ...nothing, [part === "session" ? "places" : part]: true };
  const read = inSpan("read session", async () => {
    const signInId = await readSignInCookie(deps.env, request);
    // Signed-out callers read no leaders.
    if (signInId === null && part === "leaders") return null;
    return readForRequest(deps, { signInId, key, parts, beginList: null });
  });
  // While the database is away, authentication or the endpoint says so.
  const known = read.catch(() => null);
  context.findSignIn = async () => (await read)?.signIn ?? null;
  provideReads(deps, context, known);
}

/** A parameter of the query, in camelCase or snake_case. */
function readParameter(request: Request, name: string): string | undefined {
  for (const [key, value] of new URL(request.url).searchParams) if (camelCase(key) === name) return value;
  return undefined;
}

/** Lets the endpoints answer with what was read. The handler may be asked for another session than the one that was read. */
function provideReads(deps: Deps, context: RequestContext, known: Promise<PageRead | null>): void {
  const readOf = async (slugOrId: string | undefined) => {
    const read = await known;
    return slugOrId !== undefined && read?.wanted.key === readSessionKey(slugOrId) ? read : null;
  };
  context.knownSession = async (slugOrId) => {
    const read = await readOf(slugOrId);
    return read?.wanted.parts.places === true ? sessionIn(deps, read) : null;
  };
  context.knownEvents = async ({ slugOrId, now }) => {
    const read = await readOf(slugOrId);
    const session = read?.answer.session?.seen;
    if (read === null || session === undefined) return null;
    const events = eventsIn(deps, read, now);
    return events === null || events.length >= EVENTS_SHOWN ? null : { session, events };
  };
  context.knownLeaders = async ({ sessionId, seasonId, limit }) => {
    const isFirst = limit <= LEADERS_DEFAULT && seasonId === undefined;
    const read = isFirst ? await readOf(sessionId) : null;
    const answer = read === null ? null : leadersIn(deps, read);
    return answer === null ? null : { ...answer, leaders: answer.leaders.slice(0, limit) };
  };
}
