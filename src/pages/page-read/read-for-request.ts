import type { Deps } from "#src/base/deps.ts";
import { acceptSignIn, type FoundSignIn } from "#src/people/sign-ins/find-sign-in.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import { isAdmin, viewerIn } from "#src/people/sign-ins/viewer.ts";
import { canWatch } from "#src/show/sessions/require-watcher.ts";
import {
  type AnsweredSession,
  findIds,
  forgetSlug,
  type Named,
  type Parts,
  type ReadAnswer,
  readInBatch,
} from "./batch-page-reads.ts";
import type { BeginList } from "./begin-list.ts";
import type { SignedInRow } from "./page-read-row.ts";
import { type SharedParts, snapshotOf } from "./session-snapshot.ts";

/** A session that changes faster than it is loaded is left to queries. */
const ATTEMPTS_MAX = 3;

/** What a request names and needs. */
export type Wanted = Named & { parts: Parts; beginList: BeginList | null };

/** The row of a valid sign-in, and whether its user runs the session. */
type OwnRow = SignedInRow & { admin: boolean };

/** What was read for a request: for a page, or for a read of a session over the API. */
export type PageRead = {
  wanted: Wanted;
  answer: ReadAnswer;
  /** The sign-in of the cookie, valid or not; null if there is none or if it was ended. */
  signIn: FoundSignIn | null;
  /** The row of a valid sign-in; null for everybody else. */
  own: OwnRow | null;
  /** The parts of the snapshot that were asked for, of the same moment as `own`; null: they are left to queries. */
  shared: SharedParts | null;
};

/**
 * Reads all that a request needs: usually one round trip to Redis, then one statement. Where the session has changed since this
 * process has loaded it, its snapshot is loaded and the statement is repeated, so that everything in the answer is of one moment.
 * Rejects while the database is away.
 */
export async function readForRequest(deps: Deps, wanted: Wanted): Promise<PageRead> {
  for (let attempts = 1; ; attempts += 1) {
    const read = await readOnce(deps, wanted);
    // Signed-out viewers see no leaders.
    const parts = { events: wanted.parts.events, leaders: wanted.parts.leaders && read.own !== null };
    const shown = parts.events || parts.leaders ? shownTo(read) : null;
    if (shown === null) return { ...read, shared: null };
    const snapshot = snapshotOf(deps, shown.seen.id);
    const shared = snapshot.parts(shown, parts);
    if (shared !== null || attempts === ATTEMPTS_MAX) return { ...read, shared };
    await snapshot.load(deps, shown.seen, parts);
  }
}

type ReadOnce = Omit<PageRead, "shared">;

async function readOnce(deps: Deps, wanted: Wanted): Promise<ReadOnce> {
  const answer = await ask(deps, wanted);
  const { row } = answer;
  if (row.signInId === null) return { wanted, answer, signIn: null, own: null };
  const signIn = acceptSignIn(deps, row, viewerIn(row));
  const { viewer } = signIn;
  const { session } = answer;
  const own = { ...row, admin: session === null ? isAdmin(viewer) : can(viewer, "run", session.seen) };
  return { wanted, answer, signIn, own: signIn.invalidReason === null ? own : null };
}

/** A slug whose session was deleted is looked up again: another session may have it now. */
async function ask(deps: Deps, wanted: Wanted): Promise<ReadAnswer> {
  const { signInId, key, parts, beginList } = wanted;
  const askNow = async () =>
    readInBatch(deps, { ...(await findIds(deps, wanted)), signInId, parts, beginList });
  const answer = await askNow();
  return answer.session === null && key !== null && forgetSlug(deps, key) ? askNow() : answer;
}

/** The session whose snapshot the viewer may read: admins also see plans, and signed-out viewers only live sessions. */
function shownTo({ own, answer: { session } }: ReadOnce): AnsweredSession | null {
  if (session === null || own?.admin === true) return null;
  return canWatch(own, session.seen) ? session : null;
}
