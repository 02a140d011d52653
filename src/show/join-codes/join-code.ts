import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Deps } from "#src/base/deps.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
import { networkOf } from "#src/settings/networks.ts";
import { renewSecret, type SessionCommand, type SessionRow } from "#src/show/sessions/with-session.ts";
import type { JoinCodeAnswer } from "./schemas.ts";

/**
 * Makes a new join code for a session, and ends the one before. Those who have joined stay.
 * @throws Refusal 404 for an unknown session.
 */
export function renewJoinCode(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return renewSecret(deps, command, newJoinCode);
}

/** What is renewed. */
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
