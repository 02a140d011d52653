import type { Deps } from "#src/base/deps.ts";
import { wrongJoinCodes } from "#src/base/instruments.ts";
import { Refusal } from "#src/base/refusal.ts";
import { isLimited, limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { isKnownHere } from "./known-here.ts";

// Decision: wrong codes never shut a room to those who have the right one. Above a bound the tries of a network, right and wrong ones
// alike, take turns: one each 2 s, before anybody looks whether the code exists, so that neither the answer nor its time says more
// than the turn. A code that somebody in the network has, or was shown, needs no turn: so the first guest of a room waits, the others
// do not. With 900 free tries and 1,800 turns an hour a network finds a given code of 887 million in 19 years on average, one of a
// hundred in 10 weeks. Above the bound for wrong codes of all networks together each network takes turns from its first try on: a
// thousand networks need 10 days for a given code, and the alert JoinCodesGuessed says so within the first hour. A flood of tries
// takes all turns of its own network while it lasts; nobody there is refused for longer than that.

type PaceDeps = Pick<Deps, "env" | "redis" | "log">;

const everybody = { address: "", viewer: null, account: "everybody" };
// Of the address alone: an account has its own address too.
const at = (address: string) => ({ address, viewer: null });

/**
 * Returns when a try of this code may be answered.
 * @throws Refusal 429 if too many of this address wait already.
 */
export async function awaitTurn(deps: PaceDeps, address: string, code: string): Promise<void> {
  const isGuessed =
    (await isLimited(deps, rates.wrongJoinCode, at(address))) ??
    (await isLimited(deps, rates.wrongJoinCodes, everybody));
  if (isGuessed === null || (await isKnownHere(deps, address, code))) return;
  await limitRate(deps, rates.tryJoinCode, at(address));
}

/** Counts a wrong code against its address and among those of all. */
export async function countWrongCode(deps: PaceDeps, address: string): Promise<void> {
  wrongJoinCodes.inc();
  await unrefused(limitRate(deps, rates.wrongJoinCode, at(address)));
  await unrefused(limitRate(deps, rates.wrongJoinCodes, everybody));
}

/** What is above the bound is counted too. It is the next try that waits. */
async function unrefused(counted: Promise<void>): Promise<void> {
  await counted.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}
