import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { signerName } from "#src/storage/signed-id.ts";
import { lockAvatar } from "./attach-avatar.ts";
import { makeAvatar } from "./make-avatar.ts";
import { signPictures } from "./sign-pictures.ts";

/** By then a job would have made them. */
const WAITED_SECONDS_MIN = 10;
const AT_ONCE = 20;

type SweepDeps = Pick<Deps, "env" | "pool" | "store" | "log" | "notifyRelay">;

/** Makes the sizes that no job has made, and signs the addresses anew that were signed with a secret of before. */
export async function sweepAvatars(deps: SweepDeps): Promise<void> {
  for (const order of await findWaiting(deps)) {
    try {
      await makeAvatar(deps, order);
    } catch (error) {
      // One that cannot be made must not keep the others waiting.
      deps.log.error({ err: error, ...order }, "the sizes of an avatar cannot be made");
    }
  }
  await signAnew(deps);
}

function findWaiting({ pool }: SweepDeps) {
  return pool.db
    .select({ userId: users.id, blobId: blobs.id })
    .from(users)
    .innerJoin(blobs, eq(blobs.id, users.avatarBlobId))
    .where(
      and(
        eq(blobs.picture, false),
        lt(blobs.attachedAt, sql`clock_timestamp() - make_interval(secs => ${WAITED_SECONDS_MIN})`),
      ),
    )
    .limit(AT_ONCE);
}

async function signAnew({ env, pool }: SweepDeps): Promise<void> {
  const outdated = await pool.db
    .select({ id: users.id })
    .from(users)
    .where(and(isNotNull(users.avatar), sql`${users.avatar} ->> 'signer' <> ${signerName(env.secretKey)}`))
    .limit(AT_ONCE);
  for (const { id } of outdated) {
    await inTransaction(pool.db, async (tx) => {
      const { shown } = await lockAvatar(tx, id);
      if (shown === null) return;
      const signed =
        shown.blobIds === null ? { signer: signerName(env.secretKey) } : signPictures(env, shown.blobIds);
      await tx
        .update(users)
        .set({ avatar: { ...shown, ...signed } })
        .where(eq(users.id, id));
    });
  }
}
