import { createHmac } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { JOIN_CODE_LENGTH, JOIN_CODE_LETTERS } from "#db/lists/join-code.ts";
import { pick } from "#db/pick.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { wrongJoinCodes } from "#src/base/instruments.ts";
import { normalizeText } from "#src/base/normalize-text.ts";
import { Refusal, unrefused } from "#src/base/refusal.ts";
import { isLimited, limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { isLocked, isPrivate } from "#src/play/access-denied.ts";
import { findSessionId } from "#src/play/find-session-id.ts";
import { offerTeams, findOwnTeam } from "#src/play/teams/find-teams.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
import { networkOf } from "#src/settings/networks.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { renewSecret, type SessionCommand, type SessionRow } from "#src/show/sessions/with-session.ts";
import type { CodedSession, JoinCodeAnswer } from "./schemas.ts";

/** Makes a new join code for a session, and ends the one before. Those who have joined stay. */
export function renewJoinCode(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return renewSecret(deps, command, newJoinCode);
}

export const newJoinCode = {
  columns: { joinCode: sql`new_join_code()` },
  action: "renew_join_code",
} as const;

/** Shows a host the code of a session, which from then on is known at the host's address: the host is where the show is. */
export async function showJoinCode(
  deps: Pick<Deps, "env" | "redis" | "log">,
  { joinCode: code }: Pick<SessionRow, "joinCode">,
  { address }: Pick<Authentication, "address">,
): Promise<JoinCodeAnswer> {
  await noteKnownHere(deps, address, code);
  return { joinCode: { code, url: joinUrlOf(deps.env, code) } };
}

/** Who guesses a code would have to guess these letters with it. */
const PROOF_LENGTH = 4;

/** The address that leads to the session of a code; QR codes hold it. `k` proves that the code was not guessed. */
export function joinUrlOf(env: Pick<Env, "publicUrl" | "secretKey">, code: string): string {
  return `${env.publicUrl}/join?code=${code}&k=${proofOf(env, code)}`;
}

/** True for a code that came with its address. */
export function isFromLink(env: Pick<Env, "secretKey">, code: string, proof: string | undefined): boolean {
  return proof === proofOf(env, code);
}

function proofOf({ secretKey }: Pick<Env, "secretKey">, code: string): string {
  const signed = createHmac("sha256", deriveKey(secretKey, "join link")).update(code);
  return signed.digest("base64url").slice(0, PROOF_LENGTH);
}

const DAY_S = 86_400;

type KnownDeps = Pick<Deps, "redis" | "log">;

/** Notes for a day that somebody at this address has a code, or was shown it. Without Redis nothing is noted. */
export async function noteKnownHere({ redis, log }: KnownDeps, address: string, code: string): Promise<void> {
  if (address === "") return;
  try {
    await redis.set(keyOf(address, code), "1", "EX", DAY_S);
  } catch (error) {
    log.debug({ err: error }, "an address could not be noted as one that has a join code");
  }
}

/** True if somebody at this address has had the code within the last day. */
export async function isKnownHere(
  { redis, log }: KnownDeps,
  address: string,
  code: string,
): Promise<boolean> {
  try {
    return (await redis.exists(keyOf(address, code))) > 0;
  } catch (error) {
    log.debug({ err: error }, "whether an address has a join code is not known");
    return false;
  }
}

function keyOf(address: string, code: string): string {
  return `join:${networkOf(address)}:${code}`;
}

const SEPARATORS = /[\s\p{P}]/gu;

type FindDeps = Pick<Deps, "env" | "pool" | "redis" | "log">;
/** `k`: what the address or the QR code of a session has beside its code. */
type Typed = { code: string; k?: string | undefined };
type Caller = Pick<Authentication, "address" | "viewer">;

const everybody = { address: "", viewer: null, account: "everybody" };
// Of the address alone: an account has its own address too.
const at = (address: string) => ({ address, viewer: null });

/**
 * The session of a code that somebody has typed, at once or when it is the turn of the caller's address.
 * @throws Refusal 404 for a text that is no code and for an unknown code; 429 where all turns are taken.
 */
export async function findCodedSession(
  deps: FindDeps,
  { code: typed, k: proof }: Typed,
  { address, viewer }: Caller,
): Promise<CodedSession> {
  const code = readJoinCode(typed);
  const session = await findByCode(deps.pool.db, code);
  const isListed = session !== null && !isPrivate(session.settings);
  if (!isListed && !isFromLink(deps.env, code, proof)) await awaitTurn(deps, address, code);
  if (session === null) {
    await countWrongCode(deps, address);
    throw new Refusal(404, "unknown_code", `No show has the code ${code}. Look at the screen again.`);
  }
  await noteKnownHere(deps, address, code);
  const isIn = viewer !== null && (await findSessionId(deps.pool.db, String(session.id), viewer)) !== null;
  const { settings, startsAt, ...shown } = session;
  const { brand, givenNames } = v.parse(sessionSettings, settings);
  return {
    ...shown,
    startsAt: startsAt?.toISOString() ?? null,
    private: isPrivate(settings),
    locked: isLocked(settings),
    givenNames,
    entered: isIn,
    ...(await offerWithOwn(deps, session.id, viewer)),
    ...(brand !== undefined && { brand }),
  };
}

/** The teams that are offered, and the caller's own; null without one. */
async function offerWithOwn(deps: FindDeps, sessionId: number, viewer: Caller["viewer"]) {
  const offered = await offerTeams(deps, sessionId);
  if (viewer === null || offered.teams.length === 0) return { ...offered, team: null };
  const { team } = await findOwnTeam(deps.pool.db, { sessionId, userId: viewer.id });
  return { ...offered, team };
}

async function findByCode(db: Queryable, code: string) {
  const [row] = await db
    .select(pick(sessions, "id", "slug", "name", "description", "state", "startsAt", "settings"))
    .from(sessions)
    .where(eq(sessions.joinCode, code));
  return row ?? null;
}

/**
 * A join code as somebody has typed it: upper or lower case, with spaces or hyphens, in letters of other alphabets that look the same.
 * @throws Refusal 404 that says what is wrong with it.
 */
function readJoinCode(typed: string): string {
  const code = normalizeText(typed.normalize("NFC").toUpperCase())
    .text.toUpperCase()
    .replaceAll(SEPARATORS, "");
  if (code === "") throw unfit("Type the code that the host shows.");
  const unknown = [...new Set(code)].filter((letter) => !JOIN_CODE_LETTERS.includes(letter));
  if (unknown.length > 0) {
    const isMistaken = unknown.some((letter) => "01OIL".includes(letter));
    throw unfit(
      isMistaken
        ? `Look again: a code has no 0, O, 1, I or L. You typed ${unknown.join(" and ")}.`
        : `A code has only letters and digits. You typed ${unknown.join(" and ")}.`,
    );
  }
  if (code.length !== JOIN_CODE_LENGTH)
    throw unfit(`A code has ${JOIN_CODE_LENGTH} letters and digits. You typed ${code.length}.`);
  return code;
}

function unfit(sentence: string): Refusal {
  return new Refusal(404, "unknown_code", sentence);
}

// Decision: wrong codes never shut a room to those who have the right one. Above a bound the tries of a network take turns, one each 2 s:
// wrong ones and those of private sessions alike, so that neither the answer nor its time says more than the turn. No turn is needed for a
// session that everybody finds in the list anyway, for who comes by its link or QR code, whose proof cannot be guessed, and for a code that
// somebody in the network has, or was shown on a big screen or in a control room. So a pub plays while somebody there guesses; only the
// first guest of a private room waits who types a code where neither its host nor its screen is. With 900 free tries and 1,800 turns an hour
// a network finds a given code of 482 million in 10 years on average, one of a hundred in 5 weeks. Above the bound for wrong codes of all
// networks together each network takes turns from its first try on: a thousand networks need 5 days for a given code, and the alert
// JoinCodesGuessed says so within the first hour. A flood of tries takes all turns of its own network while it lasts; nobody there is
// refused for longer than that.

type PaceDeps = Pick<Deps, "env" | "redis" | "log">;

/**
 * Returns when a try of this code may be answered.
 * @throws Refusal 429 if too many of this address wait already.
 */
async function awaitTurn(deps: PaceDeps, address: string, code: string): Promise<void> {
  const isGuessed =
    (await isLimited(deps, rates.wrongJoinCode, at(address))) ??
    (await isLimited(deps, rates.wrongJoinCodes, everybody));
  if (isGuessed === null || (await isKnownHere(deps, address, code))) return;
  await limitRate(deps, rates.tryJoinCode, at(address));
}

/** Counts a wrong code against its address and among those of all. */
async function countWrongCode(deps: PaceDeps, address: string): Promise<void> {
  wrongJoinCodes.inc();
  // What is above the bound is counted too. It is the next try that waits.
  await unrefused(limitRate(deps, rates.wrongJoinCode, at(address)));
  await unrefused(limitRate(deps, rates.wrongJoinCodes, everybody));
}
