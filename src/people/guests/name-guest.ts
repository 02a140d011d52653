import { randomInt } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";

/** Short and kind, so that whatever comes together may stand on a big screen. */
const first = words(`
  Bold Brave Brisk Bright Calm Clever Cosy Daring Eager Early Fair Fleet Gentle Glad Golden Happy Jolly Keen Kind Lively
  Lucky Merry Mighty Noble Proud Quick Quiet Ready Sharp Silver Snappy Steady Sunny Swift Warm Witty`);
const second = words(`
  Badger Beaver Bison Crane Dolphin Eagle Falcon Finch Fox Gecko Heron Ibis Jackal Koala Lark Lemur Lion Lynx Magpie Marten
  Moose Newt Ocelot Orca Otter Owl Panda Puffin Raven Robin Seal Stork Swan Tiger Toucan Wolf`);

/** A name is drawn so often. The number in it has a digit more each time. */
const DRAWS_MAX = 4;

/** What a new guest has chosen. */
type Chosen = { username?: string | undefined; face?: number | undefined };

/**
 * What a new guest is made with: in a session with given names the name is the product's, whatever was typed.
 * @param sessionId the session of the guest's code; null: without one, where players are sent to if they are sent anywhere.
 */
export async function nameGuest(
  db: Queryable,
  chosen: Chosen = {},
  sessionId: number | null = null,
): Promise<Chosen> {
  const given = sql`${sessions.settings} @> '{"givenNames": true}'`;
  const comesTo = sessionId === null ? eq(sessions.active, true) : eq(sessions.id, sessionId);
  if ((await db.$count(sessions, and(comesTo, given))) === 0) return chosen;
  return { ...chosen, username: await drawName(db) };
}

/** A name that nobody has: "Brisk_Otter_47". Undefined where none was found: then the guest is named by a number. */
async function drawName(db: Queryable): Promise<string | undefined> {
  for (let draw = 1; draw <= DRAWS_MAX; draw += 1) {
    const name = `${pick(first)}_${pick(second)}_${randomInt(10 ** draw, 10 ** (draw + 1))}`;
    if ((await db.$count(users, eq(sql`lower(${users.username})`, name.toLowerCase()))) === 0) return name;
  }
  return undefined;
}

function pick(names: readonly string[]): string {
  return names[randomInt(names.length)] ?? "";
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
