import { createHash } from "node:crypto";
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow } from "#db/ledger/query.ts";
import { removedNames, users } from "#db/schema/users.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { lookOfName } from "#src/base/normalize-text.ts";
import { type FieldErrors, invalid } from "#src/base/refusal.ts";
import { site } from "#src/settings/contract.ts";
import { GONE_PREFIX, GUEST_PREFIX } from "./contract.ts";
import { writeUsername } from "./usernames/contract.ts";

// Decision: a username is judged by its look, in which look-alikes of other scripts are plain letters.

/**
 * Refuses a username that is kept for the product, or has an insult: 422.
 * @param current the own name, which may stay although the list of insults has become longer.
 */
export function refuseUnfitUsername(username: string | undefined, current?: string): void {
  if (username === undefined) return;
  if (isReserved(username)) throw invalid({ username: ["is reserved"] });
  if (username !== current) refuseUnfitName({ username });
}

/** Names that could be mistaken for the operators or for a missing user. */
const reserved = new Set(
  `about account admin administrator anonymous api bank calledit cashier dashboard deleted everyone guest help host house info mail me
  moderator nobody null official operator owner profile robot root security session sessions settings staff superuser support system
  team undefined user users wallet webmaster you`.split(/\s+/),
);
/** Also beside other words: "Anna, official". The others are surnames too. */
const reservedWords = new Set(
  "admin administrator moderator official operator support superuser webmaster".split(" "),
);
const generated = new RegExp(`^(?:${GUEST_PREFIX}|${GONE_PREFIX}|(?:guest|gone)\\d+$)`);

export function isReserved(name: string): boolean {
  const look = plainLookOf(name);
  const words = look.split(SIGNS);
  const whole = words.join("");
  return (
    reserved.has(whole) ||
    whole === barePartOf(site().name) ||
    generated.test(look) ||
    generated.test(whole) ||
    words.some((word) => reservedWords.has(word.replace(/\d+$/, "")))
  );
}

/** What may stand between letters, as it looks. */
const SIGNS = /[ _.'·་-]+/g;

/** What is left of a name that somebody tries to write in another way: its letters as they look, without accents. */
const barePartOf = (name: string): string => plainLookOf(name).replaceAll(SIGNS, "");

/** Accents, the vowels of Hebrew, and any mark on a plain letter. The signs of Indic scripts, Thai and kana make other letters: राम, रमा. */
const ACCENTS = /(?<=[a-z\d])\p{M}+|[[\p{Script=Inherited}--[\u3099\u309a]][\p{M}&&\p{Script=Hebrew}]]/gv;

const plainLookOf = (name: string) => lookOfName(name).normalize("NFD").replaceAll(ACCENTS, "");

/** What a username is in the users' table: as it is written, and as it looks. */
export const usernameColumns = (username: string) => ({ username, usernameLook: lookOfName(username) });

/** Whether a user has a name, in any case and in any letters that look the same. */
export const isNamed = (name: string): SQL<boolean> =>
  sql`${users.usernameLook} = ${lookOfName(writeUsername(name))}`;

const TAKEN = "has already been taken";
const takenRow = v.object({ email: v.boolean(), username: v.boolean() });

/**
 * Refuses an email and a username that another user has, in other capitals or other letters that look the same: 422.
 * @param userId the guest who keeps the own name; null for a new user.
 */
export async function refuseTaken(
  db: Queryable,
  { email, username, userId }: { email: string; username: string; userId: number | null },
): Promise<void> {
  const taken = await queryRow(db, takenRow)`SELECT
    EXISTS (SELECT 1 FROM ${users} WHERE ${eq(users.email, email)}) AS email,
    EXISTS (SELECT 1 FROM ${users} WHERE ${isNamed(username)}
      AND ${users.id} IS DISTINCT FROM ${userId}) AS username`;
  const errors: FieldErrors = {
    ...(taken.email ? { email: [TAKEN] } : {}),
    ...(taken.username ? { username: [TAKEN] } : {}),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** The database's error after a concurrent request with the same email or username; Drizzle wraps it. */
const uniqueViolation = v.object({
  cause: v.object({ errno: v.literal("23505"), constraint: v.picklist(["users_email", "users_username"]) }),
});

/** Turns a unique violation of a transaction on users into a refusal. Returns any other error unchanged. */
export function toTakenRefusal(error: unknown): unknown {
  const { success, output } = v.safeParse(uniqueViolation, error);
  if (!success) return error;
  return invalid({ [output.cause.constraint === "users_email" ? "email" : "username"]: [TAKEN] });
}

// Decision: a name that a host has taken away is refused to everybody, because its player could come back as another guest. It is
// kept as a hash, so that it needs no erasure. An admin who gives it to somebody allows it again.

export async function keepRemoved(tx: Queryable, username: string): Promise<void> {
  await tx
    .insert(removedNames)
    .values({ hash: hashOf(username) })
    .onConflictDoNothing();
}

export async function allowAgain(tx: Queryable, username: string): Promise<void> {
  await tx.delete(removedNames).where(eq(removedNames.hash, hashOf(username)));
}

/** Refuses a username that was taken away, also in another way to write it: 422. */
export async function refuseRemoved(tx: Queryable, username: string): Promise<void> {
  if ((await tx.$count(removedNames, eq(removedNames.hash, hashOf(username)))) > 0)
    throw invalid({ username: ["was taken away by a host"] });
}

export async function findRemoved(db: Queryable, names: readonly string[]): Promise<ReadonlySet<string>> {
  const hashes = new Map(names.map((name) => [hashOf(name), name]));
  const rows = await db
    .select({ hash: removedNames.hash })
    .from(removedNames)
    .where(inArray(removedNames.hash, [...hashes.keys()]));
  return new Set(rows.flatMap(({ hash }) => hashes.get(hash) ?? []));
}

function hashOf(username: string): string {
  return createHash("sha256").update(barePartOf(username)).digest("base64url");
}
