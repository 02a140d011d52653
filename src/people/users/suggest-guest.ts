import { inArray } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { lookOfName } from "#src/base/normalize-text.ts";
import { FACES_COUNT } from "#src/people/avatars/contract.ts";
import { guestName, guestNamesCount } from "./guest-names.ts";
import { findRemoved } from "./removed-names.ts";
import type { GuestSuggestion } from "./schemas.ts";

/** So many names are looked up at once. */
const CANDIDATES = 8;
/** Where the names themselves are taken, they get a number. */
const NUMBER_MAX = 999;

/** A name that nobody has and that no host has taken away, and a face: what a guest begins with who chooses nothing. */
export async function suggestGuest(deps: Pick<Deps, "pool">): Promise<GuestSuggestion> {
  const face = roll(FACES_COUNT) + 1;
  for (let tries = 0; ; tries += 1) {
    const names = Array.from({ length: CANDIDATES }, () => candidate(tries > 0));
    const [username] = await findFree(deps, names);
    if (username !== undefined) return { username, face };
  }
}

function candidate(isNumbered: boolean): string {
  const name = guestName(roll(guestNamesCount));
  return isNumbered ? `${name}${roll(NUMBER_MAX) + 1}` : name;
}

async function findFree({ pool }: Pick<Deps, "pool">, names: readonly string[]): Promise<string[]> {
  const looks = names.map(lookOfName);
  const [rows, removed] = await Promise.all([
    pool.db.select({ look: users.usernameLook }).from(users).where(inArray(users.usernameLook, looks)),
    findRemoved(pool.db, names),
  ]);
  const known = new Set(rows.map(({ look }) => look));
  return names.filter((name) => !known.has(lookOfName(name)) && !removed.has(name));
}

/** An integer from 0, below the count. */
function roll(count: number): number {
  return Math.floor(Math.random() * count);
}
