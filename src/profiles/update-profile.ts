import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writePersonalAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import {
  attachAvatar,
  chooseFace,
  choosePicture,
  type ChosenPicture,
  databaseNow,
  removeAvatar,
} from "#src/people/pictures/attach-avatar.ts";
import {
  allowAgain,
  refuseRemoved,
  refuseUnfitUsername,
  toTakenRefusal,
  usernameColumns,
} from "#src/people/users/judge-username.ts";
import { lockUser, type ManagedUser, refuseEnded } from "#src/people/users/manage-user.ts";
import { publishRename } from "./publish-rename.ts";
import type { ProfileChange } from "./schemas.ts";

type UpdateProfile = IfVersion & { userId: number; actor: { id: number }; change: ProfileChange };

/**
 * Changes a user's profile, in one transaction. A change by an admin is written to the audit log with the old and new values.
 * A job then makes the sizes of a new picture, and the new avatar is broadcast when they exist.
 * @throws Refusal 422 for a username that is taken, was taken away or has an insult, and for a picture or crop that cannot be used; 404 for an unknown user; 409
 *   for a stale version.
 */
export async function updateProfile(
  deps: Deps,
  { userId, actor, change, ifVersion }: UpdateProfile,
): Promise<void> {
  const user = { id: userId };
  const { avatar, crop, face, ...details } = change;
  if (crop !== undefined && typeof avatar !== "string") throw invalid({ avatar: ["is required"] });
  if (face !== undefined && avatar !== undefined) throw invalid({ face: ["is invalid"] });
  refuseUnfitUsername(details.username);
  const chosen =
    typeof avatar === "string" ? await choosePicture(deps, user, { signedId: avatar, crop }) : null;
  await inTransaction(deps.pool.db, async (tx) => {
    const before = await lockUser(tx, userId);
    requireVersion({ ifVersion }, before);
    refuseEnded(before);
    await updateDetails(tx, user, details);
    await rename(tx, { userId, actor, before: before.username, after: details.username });
    if (chosen !== null) await attachAvatar(tx, user, chosen);
    if (avatar === null) await removeAvatar(tx, user);
    if (face !== undefined) await chooseFace(tx, user, face);
    if (actor.id !== userId) await auditChange(tx, { actor, userId, before });
  });
  deps.notifyRelay();
  if (chosen !== null) await enqueueAvatar(deps, user, chosen);
}

type Rename = { userId: number; actor: { id: number }; before: string; after: string | undefined };

/** Tells a new name, which must be none that a host has taken away, unless an admin gives it. */
async function rename(tx: Transaction, { userId, actor, before, after }: Rename): Promise<void> {
  if (after === undefined || after === before) return;
  if (actor.id === userId) await refuseRemoved(tx, after);
  else await allowAgain(tx, after);
  await publishRename(tx, { userId, username: after });
}

/** The fields of a change that are columns of the user's row. */
type Details = Omit<ProfileChange, "avatar" | "crop" | "face">;

/** The columns of a profile that the audit log shows. A field of a change without its column does not compile. */
const audited = { username: true, phone: true, avatarBlobId: true } satisfies Record<
  keyof Details | "avatarBlobId",
  true
>;

/** Writes the fields that have changed, with their old and new values. Without a change it writes nothing. */
async function auditChange(
  tx: Transaction,
  { actor, userId, before }: { actor: { id: number }; userId: number; before: ManagedUser },
): Promise<void> {
  const after = new Map<string, unknown>(Object.entries(await lockUser(tx, userId)));
  const changed = Object.entries(before).filter(
    ([field, value]) => field in audited && after.get(field) !== value,
  );
  if (changed.length === 0) return;
  const newValues = changed.map(([field]) => [field, after.get(field)] as const);
  await writePersonalAudit(
    tx,
    { actor, action: "change_profile", subject: { type: "user", id: userId } },
    { userId, before: Object.fromEntries(changed), after: Object.fromEntries(newValues) },
  );
}

/** Enqueues the job that makes the sizes. While Redis is unavailable the sweep makes them. */
async function enqueueAvatar(
  { queues, log }: Pick<Deps, "queues" | "log">,
  { id: userId }: { id: number },
  { blobId }: ChosenPicture,
): Promise<void> {
  try {
    await queues.makeAvatar({ userId, blobId });
  } catch (error) {
    log.warn({ err: error, userId }, "could not enqueue an avatar; the sweep will make its sizes");
  }
}

/**
 * Writes the fields that are given; one that is left out does not change.
 * @throws Refusal 422 for a username that is taken, by its look; the transaction is aborted then.
 */
async function updateDetails(tx: Transaction, user: { id: number }, details: Details): Promise<void> {
  if (Object.values(details).every((value) => value === undefined)) return;
  await tx
    .update(users)
    .set({ ...details, ...columnsOf(details), updatedAt: databaseNow })
    .where(eq(users.id, user.id))
    .catch((error: unknown) => {
      throw toTakenRefusal(error);
    });
}

const columnsOf = ({ username }: Details) => (username === undefined ? {} : usernameColumns(username));
