import { and, eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { findOutcome, madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { say } from "#src/http/contract.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { runsShows } from "#src/people/users/roles-of-user.ts";
import { site } from "#src/settings/contract.ts";
import { confirmOwner, type Proof } from "./check-own-passkey.ts";
import { PASSKEYS_MAX } from "./contract.ts";
import type { Attestation, CreationOptionsAnswer, PasskeyView } from "./schemas.ts";
import { findPasskeys, presentPasskey, readByPasskey, type SignedIn } from "./signed-in.ts";
import {
  ALGORITHMS,
  CHALLENGE_MS,
  issueChallenge,
  passkeyRequired,
  relyingParty,
  userHandle,
  verifyNewPasskey,
} from "./verify-passkey.ts";

/**
 * Starts adding a passkey: the options for the browser, with a challenge for this sign-in.
 * Refuses what `confirmOwner` refuses, and an admin who must use a passkey that exists (403).
 */
export async function askForPasskey(
  deps: Deps,
  { viewer, signInId, ...proof }: SignedIn & Proof,
): Promise<CreationOptionsAnswer["options"]> {
  const existing = await findPasskeys(deps.pool.db, viewer.id);
  if (existing.length > 0 && !(await readByPasskey(deps, signInId)).byPasskey)
    await refuseUnconfirmedAdmin(deps, viewer);
  await confirmOwner(deps, { viewer, signInId }, proof);
  if (existing.length >= PASSKEYS_MAX)
    throw invalid({ passkey: [`is one too many (maximum is ${PASSKEYS_MAX})`] });
  return {
    challenge: await issueChallenge(deps, { purpose: "add", askedBy: signInId }),
    rp: { id: relyingParty(deps.env).id, name: site().name },
    user: {
      id: userHandle(deps.env, viewer.id),
      name: viewer.email ?? viewer.username,
      displayName: viewer.username,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId, type: "public-key" })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

/**
 * Adds the passkey that the browser has made. It also confirms this sign-in. A mail and a notification report it.
 * Refuses an answer to another challenge, from another origin or without the user's verification (401), and a passkey that is
 * taken (422).
 */
export async function addPasskey(
  deps: Deps,
  { viewer, signInId, name, credential }: SignedIn & { name: string; credential: Attestation },
  keyed: MaybeKeyed = null,
): Promise<PasskeyView> {
  // The challenge of a repeated request is used up.
  const known = await findOutcome(deps.pool.db, keyed, madeRow);
  if (known !== null)
    return presentPasskey(
      stillThere(await deps.pool.db.select().from(passkeys).where(eq(passkeys.id, known.id))),
    );
  const added = await verifyNewPasskey(deps, { purpose: "add", askedBy: signInId }, credential);
  const { row, send } = await inTransaction(deps.pool.db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, viewer.id)).for("no key update");
    if ((await findPasskeys(tx, viewer.id)).length >= PASSKEYS_MAX)
      throw invalid({ passkey: [`is one too many (maximum is ${PASSKEYS_MAX})`] });
    const [inserted] = await tx
      .insert(passkeys)
      .values({ userId: viewer.id, name, ...added })
      .onConflictDoNothing()
      .returning();
    if (inserted === undefined) throw invalid({ passkey: ["has already been taken"] });
    await once(tx, keyed, madeRow, () => Promise.resolve({ id: inserted.id }));
    await tx.update(signIns).set({ byPasskey: true }).where(eq(signIns.id, signInId));
    return { row: inserted, send: await reportChange(tx, { viewer, kind: "passkey_added", name }) };
  });
  await send(deps);
  return presentPasskey(row);
}

/** Otherwise a stolen password would be enough for a passkey of the thief's own. */
async function refuseUnconfirmedAdmin({ env, pool }: Deps, viewer: Viewer): Promise<void> {
  if (env.adminPasskeysRequired && (await runsShows(pool.db, viewer.id))) throw passkeyRequired();
}

type PasskeyChange = {
  viewer: Pick<Viewer, "id" | "email">;
  kind: "passkey_added" | "passkey_removed";
  name: string;
};

/** What the notification says. The mail says it at more length: src/people/users/compose-mail.ts. */
const texts = {
  passkey_added: (name: string) => ({
    title: "A passkey was added",
    body: say`“${name}” signs in to your account from now on. Was it not you? Remove it, and choose a new password.`,
  }),
  passkey_removed: (name: string) => ({
    title: "A passkey was removed",
    body: say`“${name}” no longer signs in to your account. Was it not you? Choose a new password.`,
  }),
};

/**
 * Records what tells the owner of an account that its passkeys have changed: a notification and a mail, in the transaction of the
 * change. A thief who is signed in could otherwise keep a way in unseen.
 * @returns sends both; call it after the commit.
 */
async function reportChange(
  tx: Transaction,
  { viewer, kind, name }: PasskeyChange,
): Promise<(deps: Deps) => Promise<void>> {
  await writeNotifications(tx, [
    { userId: viewer.id, kind: "security", ...texts[kind](name), url: "/profile/account" },
  ]);
  const { email, id: userId } = viewer;
  const mailId = email === null ? null : await writeMail(tx, { kind, recipient: email, userId });
  return async (deps) => {
    deps.notifyRelay();
    if (mailId !== null) await enqueueMail(deps, mailId);
  };
}

const ownPasskey = (userId: number, id: number) => and(eq(passkeys.id, id), eq(passkeys.userId, userId));

/** Renames one of the user's passkeys. Refuses an unknown one, and one of another user: 404. */
export async function renamePasskey(
  { pool }: Pick<Deps, "pool">,
  { userId, id, name }: { userId: number; id: number; name: string },
): Promise<PasskeyView> {
  const [row] = await pool.db.update(passkeys).set({ name }).where(ownPasskey(userId, id)).returning();
  if (row === undefined) throw notFound();
  return presentPasskey(row);
}

/**
 * Removes one of the user's passkeys. Sign-ins that it has started go on. A mail and a notification report it.
 * Refuses an unknown one, and one of another user (404), an admin who must sign in by passkey and has not (403), and what
 * `confirmOwner` refuses.
 */
export async function removePasskey(
  deps: Deps,
  { viewer, signInId, id, ...proof }: SignedIn & Proof & { id: number },
): Promise<void> {
  if (!(await readByPasskey(deps, signInId)).byPasskey) await refuseUnconfirmedAdmin(deps, viewer);
  if ((await deps.pool.db.$count(passkeys, ownPasskey(viewer.id, id))) === 0) throw notFound();
  await confirmOwner(deps, { viewer, signInId }, proof);
  const send = await inTransaction(deps.pool.db, async (tx) => {
    const [removed] = await tx
      .delete(passkeys)
      .where(ownPasskey(viewer.id, id))
      .returning({ name: passkeys.name });
    if (removed === undefined) throw notFound();
    return reportChange(tx, { viewer, kind: "passkey_removed", name: removed.name });
  });
  await send(deps);
}
