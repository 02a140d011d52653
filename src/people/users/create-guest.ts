import { eq } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { grantPlayMoney, openWallet, readGrantedCents } from "#db/ledger/grant-play-money.ts";
import { WELCOME_CENTS } from "#db/lists/limits.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, onceForVisitor } from "#src/base/once.ts";
import { refuseSwitchedOff } from "#src/base/switches/refuse-switched-off.ts";
import { storedFace } from "#src/people/avatars/present-avatar.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { type Browser, type SignIn, startSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { GUEST_PREFIX } from "./contract.ts";
import { refuseRemoved, refuseUnfitUsername, toTakenRefusal, usernameColumns } from "./judge-username.ts";
import type { GuestBody } from "./schemas.ts";

/**
 * Creates a guest and signs it in at this browser. The sign-in is always remembered, because a guest has no password to sign
 * in with again.
 * @param chosen what the guest has chosen: a username, a face, or nothing.
 * @throws Refusal 422 for a username that is taken, was taken away or has an insult; 403 where guests are turned off.
 */
export function createGuest(
  deps: Pick<Deps, "pool" | "env">,
  browser: Browser,
  chosen: GuestBody = {},
  { keyed, visitorSecret, also }: ByVisitor = { keyed: null, visitorSecret: "" },
): Promise<SignIn> {
  refuseUnfitUsername(chosen.username);
  return inTransaction(deps.pool.db, async (tx) => {
    await refuseSwitchedOff(tx, "guests");
    if (chosen.username !== undefined) await refuseRemoved(tx, chosen.username);
    const guestId = await onceForVisitor(tx, keyed, visitorSecret, () =>
      insertGuest(tx, deps.env.guestGrantCents, chosen),
    );
    const viewer = await findViewer(tx, guestId);
    await also?.(tx, viewer);
    return startSignIn(tx, { viewer, remembered: true, ...browser });
  }).catch((error: unknown) => {
    throw toTakenRefusal(error);
  });
}

/** The request's Idempotency-Key, and the secret of the signed-out browser that sent it. */
type ByVisitor = {
  keyed: MaybeKeyed;
  visitorSecret: string;
  /** What else is written with the guest. Repeating it changes nothing. */
  also?: (tx: Transaction, guest: Viewer) => Promise<void>;
};

/**
 * Inserts a guest with a wallet. A username that was not chosen contains the id, so that it is unique.
 * @param grantCents the initial play money.
 * @returns the user's id.
 */
export async function insertGuest(
  tx: Queryable,
  grantCents: number,
  { username, face }: GuestBody = {},
): Promise<number> {
  const [guest] = await tx
    .insert(users)
    .values({
      ...usernameColumns(username ?? `${GUEST_PREFIX}${crypto.randomUUID()}`),
      guest: true,
      avatar: face === undefined ? null : storedFace(face, 1),
    })
    .returning({ id: users.id });
  if (guest === undefined) throw new Error("the insert of a guest returned no row");
  if (username === undefined)
    await tx
      .update(users)
      .set({ username: `${GUEST_PREFIX}${guest.id}` })
      .where(eq(users.id, guest.id));
  await welcomePlayer(tx, guest.id, grantCents);
  return guest.id;
}

/**
 * Opens the wallet of a new user and grants the initial play money, once: repeating it changes nothing.
 * @param amountCents less for guests, where the setting GUEST_GRANT says so; 0 is none.
 */
export async function welcomePlayer(
  tx: Queryable,
  userId: number,
  amountCents: number = WELCOME_CENTS,
): Promise<void> {
  await openWallet(tx, userId);
  if (amountCents === 0) return;
  await grantPlayMoney(tx, { userId, amountCents, idempotencyKey: keyOf(userId), reason: "Welcome" });
}

/** Grants a guest who has an account now what the guest did not get, once. */
export async function welcomeAccount(tx: Queryable, userId: number): Promise<void> {
  const missingCents = WELCOME_CENTS - (await readGrantedCents(tx, keyOf(userId)));
  if (missingCents <= 0) return;
  const idempotencyKey = `welcome-account-${userId}`;
  await grantPlayMoney(tx, { userId, amountCents: missingCents, idempotencyKey, reason: "Welcome" });
}

const keyOf = (userId: number) => `welcome-${userId}`;
