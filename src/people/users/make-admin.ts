import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { USERNAME_LENGTH_MAX, USERNAME_LENGTH_MIN, USERNAME_LETTERS } from "./contract.ts";
import { welcomePlayer } from "./create-guest.ts";
import { isNamed, isReserved, usernameColumns } from "./judge-username.ts";
import { resumeBreak } from "./kept-break.ts";
import { rolesOfUser } from "./roles-of-user.ts";
import { askForMailBody, usernameField } from "./schemas.ts";
import { issueToken } from "./tokens.ts";

/** A user cannot be made an admin. The message says why and what to do; nothing was changed. */
export class AdminRefused extends Error {
  override readonly name = "AdminRefused";
}

export type MadeAdmin = {
  username: string;
  /** The account was created; it is an admin now; it was one before. */
  change: "created" | "promoted" | "none";
  /** Leads to the page for a new password; null for an account that can sign in without. */
  passwordUrl: string | null;
  /** The names of the account's passkeys, which sign in as an admin from now on. */
  passkeys: string[];
};

type AdminDeps = {
  pool: Pick<Deps["pool"], "db">;
  env: Pick<Deps["env"], "secretKey" | "publicUrl" | "oidc">;
};

const REASON = "bun run admin";
const USERNAME_MIN = 3;
/** Of the 20 characters of a username; the rest is for a number. */
const NAME_BASE_MAX = 15;

/**
 * Makes the user with this address an admin, on behalf of the owner of the machine. Without such a user it creates one, who chooses
 * a password by the link in the answer. The user has to sign in again.
 * @param name the username of a user that is created; made of the address if left out.
 * @throws AdminRefused for what is no address or no free name, and for an account that is deactivated or whose address is not confirmed: it may be
 *   a stranger's.
 */
export async function makeAdmin(deps: AdminDeps, address: string, name?: string): Promise<MadeAdmin> {
  const { db } = deps.pool;
  const email = readAddress(address);
  const chosen = name === undefined ? undefined : await readName(db, name);
  const known = await findUser(db, email);
  if (known !== null) await refuseUnsafe(deps, known, email);
  const user = await inTransaction(db, async (tx) => {
    const row = known ?? (await createUser(tx, { email, chosen }));
    if (!row.roles.includes("admin")) await promote(tx, row);
    return row;
  });
  const keys = await db.select({ name: passkeys.name }).from(passkeys).where(eq(passkeys.userId, user.id));
  // Where everybody signs in at the provider, the link is the way in without it.
  const needsPassword = deps.env.oidc?.only === true || (!user.hasPassword && keys.length === 0);
  return {
    username: user.username,
    change: changeOf(known),
    passwordUrl: needsPassword ? await issueLink(deps, user.id, email) : null,
    passkeys: keys.map(({ name }) => name),
  };
}

function changeOf(known: Row | null): MadeAdmin["change"] {
  if (known === null) return "created";
  return known.roles.includes("admin") ? "none" : "promoted";
}

function readAddress(address: string): string {
  const parsed = v.safeParse(askForMailBody, { email: address });
  if (parsed.success) return parsed.output.email;
  throw new AdminRefused(`"${address}" is not an email address. Example: bun run admin ana@example.com`);
}

/** The name of a new user, which must be free. */
async function readName(db: Queryable, name: string): Promise<string> {
  const parsed = v.safeParse(usernameField, name);
  if (!parsed.success || isReserved(parsed.output))
    throw new AdminRefused(
      `"${name}" is no username: ${USERNAME_LENGTH_MIN} to ${USERNAME_LENGTH_MAX} ${USERNAME_LETTERS}; and none that is reserved. Nothing was changed.`,
    );
  if ((await db.$count(users, isNamed(parsed.output))) > 0)
    throw new AdminRefused(`The name ${parsed.output} is taken. Take another one. Nothing was changed.`);
  return parsed.output;
}

const columns = {
  id: users.id,
  username: users.username,
  hasPassword: sql<boolean>`${users.passwordHash} IS NOT NULL`,
  isConfirmed: sql<boolean>`${users.confirmedAt} IS NOT NULL`,
  isDeactivated: sql<boolean>`${users.deactivatedAt} IS NOT NULL`,
  roles: rolesOfUser,
};
type Row = NonNullable<Awaited<ReturnType<typeof findUser>>>;

async function findUser(db: Queryable, email: string) {
  const [user] = await db.select(columns).from(users).where(eq(users.email, email));
  return user ?? null;
}

async function refuseUnsafe(deps: AdminDeps, user: Row, email: string): Promise<void> {
  if (user.isDeactivated) {
    throw new AdminRefused(
      `The account of ${email} is deactivated. Another admin can reactivate it at ${deps.env.publicUrl}/users/${user.id}; ` +
        "or take another address. Nothing was changed.",
    );
  }
  // An account that this command has created has no password before it is confirmed.
  if (user.isConfirmed || !user.hasPassword) return;
  throw new AdminRefused(
    `The address ${email} is not confirmed: the account may belong to somebody who only typed it. It is not an admin now.\n` +
      `1. Choose a new password at ${await issueLink(deps, user.id, email)}\n` +
      "   That confirms the address, and signs out everybody else. The link works for 6 hours.\n" +
      "2. Run this command again.",
  );
}

/** Without a password: it is chosen by the link. */
async function createUser(
  tx: Transaction,
  { email, chosen }: { email: string; chosen: string | undefined },
): Promise<Row> {
  const username = chosen ?? (await findFreeName(tx, email));
  const [user] = await tx
    .insert(users)
    .values({ email, ...usernameColumns(username) })
    .returning({ id: users.id });
  if (user === undefined) throw new Error("the insert of a user returned no row");
  await welcomePlayer(tx, user.id);
  await resumeBreak(tx, { userId: user.id, email });
  return { id: user.id, username, hasPassword: false, isConfirmed: false, isDeactivated: false, roles: [] };
}

/**
 * The part of the address before the @, as a username; with a number if it is taken. One that is reserved, as of host@example.com,
 * gives way to the name of the domain: example.
 */
async function findFreeName(tx: Transaction, email: string): Promise<string> {
  const [local = "", domain = ""] = email.split("@");
  const [label = ""] = domain.split(".");
  const bases = [local, label].map((name) =>
    name.replaceAll(/\W+/g, "_").slice(0, NAME_BASE_MAX).padEnd(USERNAME_MIN, "_"),
  );
  const base = bases.find((name) => !isReserved(name)) ?? "member";
  const taken = await tx
    .select({ name: users.usernameLook })
    .from(users)
    .where(sql`${users.usernameLook} LIKE ${`${base.replaceAll("_", String.raw`\_`)}%`}`);
  const names = new Set(taken.map(({ name }) => name));
  const isFree = (name: string) => !names.has(name) && !isReserved(name);
  for (let number = 2, name = base; ; number += 1) {
    if (isFree(name)) return name;
    name = `${base}_${number}`;
  }
}

async function promote(tx: Transaction, { id, roles }: Row): Promise<void> {
  const after = [...roles, "admin" as const].toSorted();
  await tx.insert(userRoles).values({ userId: id, role: "admin" }).onConflictDoNothing();
  await writeAudit(tx, {
    actor: null,
    action: "change_roles",
    subject: { type: "user", id },
    before: { roles },
    after: { roles: after },
    reason: REASON,
  });
  // Each process finds within half a minute that they have ended, and disconnects their sockets.
  await endSignIns(tx, { userId: id });
}

async function issueLink({ pool, env }: AdminDeps, userId: number, email: string): Promise<string> {
  const secret = await issueToken(pool.db, env, { userId, kind: "reset_password", email });
  return `${env.publicUrl}/users/password/edit?reset_password_token=${secret}`;
}
