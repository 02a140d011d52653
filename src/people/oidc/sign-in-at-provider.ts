import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { lockForMerge } from "#db/ledger/locks.ts";
import { identities, signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { findActiveUser } from "#src/people/passkeys/sign-in-by-passkey.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { mergeGuest } from "#src/people/sign-ins/merge-guest.ts";
import { type Browser, type SignIn, startSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { GUEST_PREFIX } from "#src/people/users/contract.ts";
import {
  isNamed,
  refuseRemoved,
  refuseUnfitUsername,
  toTakenRefusal,
} from "#src/people/users/judge-username.ts";
import { makeAccount } from "#src/people/users/register-account.ts";
import { askForMailBody, usernameField } from "#src/people/users/schemas.ts";
import { suggestGuest } from "#src/people/users/suggest-guest.ts";
import type { OidcSettings } from "#src/settings/read-oidc.ts";
import { type Person, refused } from "./ask-provider.ts";
import { giveRoles } from "./give-roles.ts";

// Decision: an account belongs to a person of the provider: to the issuer and its own id of the person, never to an address, which the
// provider may give to somebody else. A person who comes for the first time gets the account with the same address only where both sides
// have proven it: the provider says that it has checked the address, and the account's address was confirmed here. Otherwise who typed an
// address of somebody else, there or here, would share an account with its owner. An account that has a person of the provider takes no
// second one. Everybody else gets a new account, and a guest becomes it, or a part of the known one. A mail tells the owner.

/** The advisory lock's class. First sign-ins of one person run one at a time. */
const PERSON_LOCK = 7705;

type Arrival = {
  person: Person;
  browser: Browser;
  /** The guest at this browser, who keeps everything; null: nobody, or one who is left behind on purpose. */
  guest: Viewer | null;
};

/**
 * Signs a person of the provider in, with the roles that the provider says. Refuses an address that is missing, not proven or another
 * person's, an account that is deactivated, and a guest that cannot be merged: then nothing changes.
 */
export async function signInAtProvider(
  deps: Deps,
  oidc: OidcSettings,
  { person, browser, guest }: Arrival,
): Promise<SignIn> {
  const name = await chooseName(deps, person, guest);
  const { signIn, ended, mailId } = await inTransaction(deps.pool.db, async (tx) => {
    const key = `${person.issuer} ${person.subject}`;
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${PERSON_LOCK}::int, hashtext(${key}))`);
    const accountId = await findAccountId(tx, person);
    const isNew = accountId === null;
    if (!isNew && guest !== null) await lockForMerge(tx, { guestId: guest.id, accountId });
    const { userId, ended } = isNew
      ? await makeAccount(tx, deps.env, {
          viewer: guest,
          account: newAccount(person, name),
          door: "provider",
        })
      : { userId: accountId, ended: [] };
    const viewer = await findActiveUser(tx, userId);
    const mailId = await linkAccount(tx, person, userId);
    if (!isNew && guest !== null)
      ended.push(...(await mergeGuest(tx, { guestId: guest.id, accountId: userId, actor: viewer })));
    if (await giveRoles(tx, oidc, { userId, values: person.values }))
      ended.push(...(await endSignIns(tx, { userId })));
    const now = { viewer: await findViewer(tx, userId), remembered: false, idToken: person.idToken };
    return { signIn: await startSignIn(tx, { ...now, ...browser }), ended, mailId };
  }).catch((error: unknown) => {
    // Somebody has taken the address or the name meanwhile.
    throw toTakenRefusal(error) === error ? error : refused("taken");
  });
  deps.notifyRelay();
  await disconnectSignIns(deps, ended);
  if (mailId !== null) await enqueueMail(deps, mailId);
  if (oidc.roles !== null && person.values === null)
    deps.log.warn({ claim: oidc.roles.claim }, "a person has no claim of OIDC_ROLES_CLAIM, and so no roles");
  return signIn;
}

/** The account that signs in as this person, or may from now on. Null: there is none. */
async function findAccountId(
  db: Queryable,
  { issuer, subject, email, ownsEmail }: Person,
): Promise<number | null> {
  const isPerson = and(eq(identities.issuer, issuer), eq(identities.subject, subject));
  const [known] = await db.select({ id: identities.userId }).from(identities).where(isPerson);
  if (known !== undefined) return known.id;
  if (email === null || !v.is(askForMailBody, { email })) throw refused("no_email");
  if (!ownsEmail) throw refused("unverified");
  const [account] = await db
    .select({
      id: users.id,
      isProven: sql<boolean>`${users.confirmedAt} IS NOT NULL`,
      // Made by the command line for this address, and never used.
      isUnused: sql<boolean>`${users.passwordHash} IS NULL AND NOT EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = users.id)`,
      others: db.$count(identities, and(eq(identities.userId, users.id), eq(identities.issuer, issuer))),
    })
    .from(users)
    .where(eq(users.email, email));
  if (account === undefined) return null;
  if (account.others > 0) throw refused("taken");
  if (!account.isProven && !account.isUnused) throw refused("unconfirmed_here");
  return account.id;
}

/** Without a password. The provider has checked the address. */
function newAccount({ email }: Person, username: string) {
  return { email: email ?? "", username, passwordHash: null, confirmedAt: sql`clock_timestamp()` };
}

/** Does nothing for an account that is this person's already. @returns the mail that tells its owner, for enqueueMail after the commit. */
async function linkAccount(
  tx: Transaction,
  { issuer, subject, email }: Person,
  userId: number,
): Promise<number | null> {
  const linked = await tx
    .insert(identities)
    .values({ userId, issuer, subject })
    .onConflictDoNothing({ target: [identities.issuer, identities.subject] })
    .returning({ id: identities.id });
  if (linked.length === 0 || email === null) return null;
  await tx
    .update(users)
    .set({ confirmedAt: sql`coalesce(${users.confirmedAt}, clock_timestamp())` })
    .where(eq(users.id, userId));
  return writeMail(tx, { kind: "provider_linked", recipient: email, userId });
}

/** What a new account is called: as the guest is, or as the provider says, if that is free and fit; else it gets a name. */
async function chooseName(deps: Deps, { names, email }: Person, guest: Viewer | null): Promise<string> {
  if (guest !== null && !guest.username.startsWith(GUEST_PREFIX)) return guest.username;
  for (const name of [...names, email ?? ""]) {
    const read = v.safeParse(usernameField, name.split("@")[0]);
    if (read.success && (await isFree(deps.pool.db, read.output))) return read.output;
  }
  return (await suggestGuest(deps)).username;
}

async function isFree(db: Queryable, name: string): Promise<boolean> {
  try {
    refuseUnfitUsername(name);
    await refuseRemoved(db, name);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
  return (await db.$count(users, isNamed(name))) === 0;
}

/** Records that the user of a sign-in has signed in at the provider once more. Refuses another person than the account's. */
export async function proveOwner(
  { pool: { db } }: Pick<Deps, "pool">,
  { issuer, subject }: Person,
  { userId, signInId }: { userId: number; signInId: string },
): Promise<void> {
  const isOwn = and(
    eq(identities.issuer, issuer),
    eq(identities.subject, subject),
    eq(identities.userId, userId),
  );
  if ((await db.$count(identities, isOwn)) === 0) throw refused("somebody_else");
  await db
    .update(signIns)
    .set({ provenAt: sql`clock_timestamp()` })
    .where(eq(signIns.id, signInId));
}
