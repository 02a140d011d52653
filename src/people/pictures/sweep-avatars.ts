import { and, eq, gt, isNotNull, lt, or, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { keyFingerprint } from "#src/people/storage/signed-id.ts";
import { lockAvatar } from "./attach-avatar.ts";
import { makeAvatar } from "./make-avatar.ts";
import { signPictures } from "./sign-pictures.ts";

/** Younger uploads are left to their job. */
const PENDING_SECONDS_MIN = 10;
const BATCH_SIZE = 20;

type SweepDeps = Pick<Deps, "env" | "pool" | "store" | "log" | "notifyRelay">;

/** Makes the sizes that no job has made, and signs addresses again that were signed with a previous secret key. */
export async function sweepAvatars(deps: SweepDeps): Promise<void> {
  const pending = await findPending(deps);
  await tryRows(deps, pending, (job) => makeAvatar(deps, job), {
    kind: "picture",
    idOf: ({ blobId }) => blobId,
  });
  await renewSignatures(deps);
}

function findPending({ pool }: SweepDeps) {
  return pool.db
    .select({ userId: users.id, blobId: blobs.id })
    .from(users)
    .innerJoin(blobs, eq(blobs.id, users.avatarBlobId))
    .where(
      and(
        sql`NOT ${blobs.picture}`,
        notPaused("picture", blobs.id),
        lt(blobs.attachedAt, sql`clock_timestamp() - make_interval(secs => ${PENDING_SECONDS_MIN})`),
      ),
    )
    .limit(BATCH_SIZE);
}

async function renewSignatures({ env, pool }: SweepDeps): Promise<void> {
  const signer = sql`(${users.avatar} ->> 'signer')`;
  const key = keyFingerprint(env.secretKey);
  const outdated = await pool.db
    .select({ id: users.id })
    .from(users)
    .where(
      // Written as two ranges of the index users_avatar_signer: for "unequal" it would read all users.
      and(isNotNull(users.avatar), or(lt(signer, key), gt(signer, key))),
    )
    .limit(BATCH_SIZE);
  for (const { id } of outdated) {
    await inTransaction(pool.db, async (tx) => {
      const { avatar } = await lockAvatar(tx, id);
      if (avatar === null) return;
      const signed = avatar.blobIds === null ? { signer: key } : signPictures(env, avatar.blobIds);
      await tx
        .update(users)
        .set({ avatar: { ...avatar, ...signed } })
        .where(eq(users.id, id));
    });
  }
}
