import { inTransaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { attachAvatar, choosePicture } from "./attach-avatar.ts";
import { orderSizes } from "./order-sizes.ts";
import { removeAvatar } from "./remove-avatar.ts";
import type { ProfileChange } from "./schemas.ts";
import { updateDetails } from "./update-details.ts";

/**
 * Changes what a user says of themselves, all of it or nothing. A new picture is made into its sizes afterwards, and told
 * when it is there.
 * Refuses a username that somebody has, and a picture or crop that cannot be used: 422.
 */
export async function updateProfile(
  deps: Deps,
  viewer: { id: number },
  change: ProfileChange,
): Promise<void> {
  const { avatar, crop, ...details } = change;
  if (crop !== undefined && typeof avatar !== "string") throw invalid({ avatar: ["is required"] });
  const chosen =
    typeof avatar === "string" ? await choosePicture(deps, viewer, { signedId: avatar, crop }) : null;
  await inTransaction(deps.pool.db, async (tx) => {
    await updateDetails(tx, viewer, details);
    if (chosen !== null) await attachAvatar(tx, viewer, chosen);
    if (avatar === null) await removeAvatar(tx, viewer);
  });
  if (avatar === null) deps.notifyRelay();
  if (chosen !== null) await orderSizes(deps, viewer, chosen);
}
