import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { findOutcome, madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { invalid } from "#src/base/refusal.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { runsShows } from "#src/people/users/roles-of-user.ts";
import { issueChallenge, useChallenge } from "./challenges.ts";
import { confirmOwner, type Proof } from "./confirm-owner.ts";
import { CHALLENGE_S, PASSKEYS_MAX } from "./contract.ts";
import { findPasskeys, presentPasskey } from "./list-passkeys.ts";
import { passkeyRefused, passkeyRequired } from "./refusal.ts";
import { relyingParty, userHandle } from "./relying-party.ts";
import { reportChange } from "./report-change.ts";
import type { Attestation, CreationOptionsAnswer, PasskeyView } from "./schemas.ts";
import { type SignedIn, readByPasskey } from "./signed-in.ts";
import { ALGORITHMS, verifyNewPasskey } from "./verify-passkey.ts";

const SECOND_MS = 1_000;

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
    rp: { id: relyingParty(deps.env).id, name: "Called It" },
    user: {
      id: userHandle(deps.env, viewer.id),
      name: viewer.email ?? viewer.username,
      displayName: viewer.username,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_S * SECOND_MS,
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
  const added = await verifyNewPasskey(deps.env, credential, (challenge) =>
    useChallenge(deps, { purpose: "add", askedBy: signInId }, challenge),
  );
  if (added === null) throw passkeyRefused();
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
export async function refuseUnconfirmedAdmin({ env, pool }: Deps, viewer: Viewer): Promise<void> {
  if (env.adminPasskeysRequired && (await runsShows(pool.db, viewer.id))) throw passkeyRequired();
}
