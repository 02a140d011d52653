import type { Deps } from "#src/base/deps.ts";
import type { ChosenPicture } from "./attach-avatar.ts";

/** Has the sizes of a picture made that was just chosen. While Redis is away the sweep finds it. */
export async function orderSizes(
  { queues, log }: Pick<Deps, "queues" | "log">,
  { id: userId }: { id: number },
  { blobId }: ChosenPicture,
): Promise<void> {
  try {
    await queues.makeAvatar({ userId, blobId });
  } catch (error) {
    log.warn({ err: error, userId }, "an avatar waits for the sweep");
  }
}
