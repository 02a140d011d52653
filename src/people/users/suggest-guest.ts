import { randomInt } from "node:crypto";
import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { lookOfName } from "#src/base/normalize-text.ts";
import { invalid } from "#src/base/refusal.ts";
import { FACES_COUNT } from "#src/people/avatars/contract.ts";
import { findRemoved } from "./judge-username.ts";
import type { GuestBody, GuestSuggestion } from "./schemas.ts";

// Decision: the names that the door offers are two plain words, so that everybody can read, say and find them. They are the product's
// own list: a test holds each pair to what a username may be, and to the list of insults.

const adjectives = words(`
  amber bold brave breezy bright calm cheery clever cosmic crisp daring eager fair fancy fleet fond gentle glad golden grand happy
  hardy honest humble jolly keen kind lively lucky lunar mellow merry mighty misty modest neat nimble noble peppy plucky polite
  proud quick quiet rapid ready rosy royal sage silver snappy snowy solar spry steady sunny swift tidy vivid warm wise witty zesty
`);

const animals = words(`
  badger beaver bison camel comet condor cricket dingo dolphin eagle falcon ferret finch gecko gibbon heron hornet ibis iguana
  jackal jaguar kiwi koala lemur lion llama lynx magpie mantis marmot marten meerkat moose newt ocelot orca osprey otter
  owl panda parrot pelican penguin plover puffin puma quail rabbit raven robin salmon sparrow stork swallow tapir tiger toucan
  turtle walrus weasel wombat yak zebra
`);

function words(list: string): string[] {
  return list
    .trim()
    .split(/\s+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
}

export const guestNamesCount = adjectives.length * animals.length;

/** The name of a number from 0: "Brave Otter". */
export function guestName(number: number): string {
  const adjective = adjectives[Math.floor(number / animals.length) % adjectives.length] ?? "";
  return `${adjective} ${animals[number % animals.length] ?? ""}`;
}

/** So many names are looked up at once. */
const CANDIDATES = 8;
/** Where the names themselves are taken, they get a number. */
const NUMBER_MAX = 999;

/** A name that nobody has and that no host has taken away, and a face: what a guest begins with who chooses nothing. */
export async function suggestGuest(deps: Pick<Deps, "pool">): Promise<GuestSuggestion> {
  const face = randomInt(FACES_COUNT) + 1;
  for (let tries = 0; ; tries += 1) {
    const names = Array.from({ length: CANDIDATES }, () => candidate(tries > 0));
    const [username] = await findFree(deps, names);
    if (username !== undefined) return { username, face };
  }
}

function candidate(isNumbered: boolean): string {
  const name = guestName(randomInt(guestNamesCount));
  return isNumbered ? `${name} ${randomInt(NUMBER_MAX) + 1}` : name;
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

const givesNames = sql`${sessions.settings} @> '{"givenNames": true}'`;

/** A guest is in one show at a time: what came before the last ones is over. */
const SESSIONS_LOOKED_AT = 20;

/**
 * Refuses a guest another name than the given one, while a session with given names that the guest is in is not over: 422.
 * @param guest with the name of now, which may be sent again.
 */
export async function refuseOwnName(
  db: Queryable,
  guest: { id: number; username: string },
  username: string | undefined,
): Promise<void> {
  if (username === undefined || username === guest.username) return;
  const last = db
    .select({ sessionId: registrations.sessionId })
    .from(registrations)
    .where(eq(registrations.userId, guest.id))
    .orderBy(desc(registrations.id))
    .limit(SESSIONS_LOOKED_AT)
    .as("last");
  const [given] = await db
    .select({ id: sessions.id })
    .from(last)
    .innerJoin(sessions, eq(sessions.id, last.sessionId))
    .where(and(ne(sessions.state, "stopped"), givesNames))
    .limit(1);
  if (given !== undefined) throw invalid({ username: ["is given in this show"] });
}

/** A name is drawn so often. The number in it has a digit more each time. */
const DRAWS_MAX = 4;

/**
 * What a new guest is made with: in a session with given names the name is the product's, whatever was typed.
 * @param sessionId the session of the guest's code; null: without one, where players are sent to if they are sent anywhere.
 */
export async function nameGuest(
  db: Queryable,
  chosen: GuestBody = {},
  sessionId: number | null = null,
): Promise<GuestBody> {
  const comesTo = sessionId === null ? eq(sessions.active, true) : eq(sessions.id, sessionId);
  if ((await db.$count(sessions, and(comesTo, givesNames))) === 0) return chosen;
  return { ...chosen, username: await drawName(db) };
}

/** A name that nobody has: "Brisk Otter 47". Undefined where none was found: then the guest is named by a number. */
async function drawName(db: Queryable): Promise<string | undefined> {
  for (let draw = 1; draw <= DRAWS_MAX; draw += 1) {
    const name = `${guestName(randomInt(guestNamesCount))} ${randomInt(10 ** draw, 10 ** (draw + 1))}`;
    if ((await db.$count(users, eq(sql`lower(${users.username})`, name.toLowerCase()))) === 0) return name;
  }
  return undefined;
}
