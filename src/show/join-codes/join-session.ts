import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { removedPlayers } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { Refusal } from "#src/base/refusal.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { attachSignIn, browserOf } from "#src/people/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { nameGuest } from "#src/people/users/suggest-guest.ts";
import { isPrivate, refuseLocked } from "#src/play/access-denied.ts";
import { findOwnTeam } from "#src/play/teams/find-teams.ts";
import { lockNamed } from "#src/show/sessions/find-session.ts";
import { insertRegistration } from "#src/show/sessions/register-player.ts";
import { findCodedSession } from "./join-code.ts";
import type { CodedSession, JoinBody } from "./schemas.ts";

type Join = { context: RequestContext; authentication: Authentication; join: JoinBody; keyed: MaybeKeyed };
type Joined = { viewer: Viewer; created: boolean };

/**
 * Lets who has the code of a session in. A client that is signed out becomes a guest, who counts against limits of its own, and is
 * signed in with the answer.
 * @returns the session, who has joined it, and whether the registration is new.
 * @throws Refusal as findCodedSession and enterSession; 422 for the username of a guest that is taken, was taken away or has an
 *   insult; 429 for too many guests of the address or of the session, and while the network's come too fast. Nobody is created then.
 */
export async function joinWith(deps: Deps, join: Join): Promise<Joined & { session: CodedSession }> {
  const { authentication, keyed } = join;
  const session = await findCodedSession(deps, join.join, authentication);
  const { viewer } = authentication;
  if (!session.entered) await brakeEntries(deps, session.id, authentication);
  const joined =
    viewer === null
      ? await joinAsGuest(deps, join, session.id)
      : await joinAs(deps, viewer, { keyed, sessionId: session.id, team: join.join.team });
  const own = { sessionId: session.id, userId: joined.viewer.id };
  const { team } = session.teams.length === 0 ? session : await findOwnTeam(deps.pool.db, own);
  return { session: { ...session, entered: true, team }, ...joined };
}

const entered = v.object({ created: v.boolean() });

function joinAs(
  { pool }: Deps,
  viewer: Viewer,
  { keyed, ...entry }: { keyed: MaybeKeyed; sessionId: number; team: number | undefined },
): Promise<Joined> {
  const player = { ...entry, userId: viewer.id, username: viewer.username };
  return inTransaction(pool.db, async (tx) => {
    const { created } = await once(tx, keyed, entered, async () => ({
      created: await enterSession(tx, player),
    }));
    return { viewer, created };
  });
}

async function joinAsGuest(
  deps: Deps,
  { context, authentication, join: { code: _code, k: _proof, team, ...chosen }, keyed }: Join,
  sessionId: number,
): Promise<Joined> {
  const { address } = authentication;
  await limitRate(deps, rates.joinAsGuest, { address, viewer: null });
  const account = `session:${sessionId}`;
  await limitRate(deps, rates.joinShowAsGuest, { address: "", viewer: null, account });
  let created = false;
  const named = await nameGuest(deps.pool.db, chosen, sessionId);
  const guest = await createGuest(deps, browserOf(deps.env, authentication, context.request), named, {
    keyed,
    visitorSecret: authentication.csrfSecret,
    also: async (tx, { id: userId, username }) => {
      created = await enterSession(tx, { sessionId, userId, username, team });
    },
  });
  return { viewer: await attachSignIn(deps.env, context, guest), created };
}

/** `team`: the number of the chosen one; the smallest one if left out. Who was removed after a result comes back into the same team. */
type Entering = { sessionId: number; userId: number; username: string; team: number | undefined };

/**
 * Registers a player who has a session's code. One whom the host has removed needs a newer code than the one of that moment. A session
 * that is over and not private needs no registration.
 * @returns whether the registration is new.
 * @throws Refusal 404 for a session that was deleted meanwhile; 403 for a removed player with the old code, and for a locked room.
 */
async function enterSession(
  tx: Transaction,
  { sessionId, userId, username, team }: Entering,
): Promise<boolean> {
  const session = await lockNamed(tx, sessionId);
  const mine = and(eq(removedPlayers.sessionId, sessionId), eq(removedPlayers.userId, userId));
  const [removed] = await tx.select().from(removedPlayers).where(mine);
  if (removed?.joinCode === session.joinCode) throw removedRefusal();
  if (removed !== undefined) await tx.delete(removedPlayers).where(mine);
  await refuseLocked(tx, session, userId);
  // Results stay with their team: who has some comes back into it.
  const { fixed } = await findOwnTeam(tx, { sessionId, userId });
  if (session.state === "stopped" && !isPrivate(session.settings)) return false;
  const own = (fixed ? removed?.team : null) ?? team;
  return insertRegistration(tx, { sessionId, userId, displayName: username, team: own });
}

function removedRefusal() {
  const sentence = "The host has removed you from this show.";
  return new Refusal(403, "removed", sentence, {
    detail: "A new code lets you in again. Ask the host for it.",
  });
}

// Decision: people walk into a room, programs fall into it. So entries of one network are counted twice: within seconds, which no crowd
// at a door exceeds, and within minutes. A caller who is refused comes in a few seconds later, as one of a crowd; the host is told how many
// were refused, and has the lock and the removal of a wave for those who are no people. Who is in already is never refused.

/** For so long the host reads of entries that were refused. */
const HELD_SHOWN_S = 120;

type DoorDeps = Pick<Deps, "redis" | "log">;

/**
 * Counts an entry by code against its network.
 * @throws Refusal 429 while entries of the network come faster than people walk in.
 */
async function brakeEntries(
  deps: DoorDeps & Pick<Deps, "env">,
  sessionId: number,
  { address }: { address: string },
): Promise<void> {
  try {
    await limitRate(deps, rates.enterBurst, { address, viewer: null });
    await limitRate(deps, rates.enter, { address, viewer: null });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await noteHeld(deps, sessionId);
    const { retryAfterSeconds = 1 } = error.details;
    const sentence = `Many come in at once from your network. Try again in ${retryAfterSeconds} s.`;
    throw new Refusal(error.status, error.code, sentence, { retryAfterSeconds });
  }
}

async function noteHeld({ redis, log }: DoorDeps, sessionId: number): Promise<void> {
  try {
    await redis.incr(keyOf(sessionId));
    await redis.expire(keyOf(sessionId), HELD_SHOWN_S);
  } catch (error) {
    log.debug({ err: error, sessionId }, "an entry that was refused could not be counted");
  }
}

/** How many entries of a session were refused, until two minutes without one have passed. 0 while Redis is away. */
export async function countHeld({ redis, log }: DoorDeps, sessionId: number): Promise<number> {
  try {
    return Number(await redis.get(keyOf(sessionId)));
  } catch (error) {
    log.debug({ err: error, sessionId }, "entries that were refused could not be read");
    return 0;
  }
}

function keyOf(sessionId: number): string {
  return `door:held:${sessionId}`;
}
