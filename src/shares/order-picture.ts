import { eq } from "drizzle-orm";
import { shares } from "#db/schema/shares.ts";
import type { Deps } from "#src/base/deps.ts";

type OrderDeps = Pick<Deps, "queues" | "log">;

/** Has a worker draw the picture of a link. Nobody waits for it: until it is stored, who asks for the picture gets one drawn. */
export function orderPicture({ queues, log }: OrderDeps, shareId: number): void {
  queues.drawPicture({ shareId }).catch((error: unknown) => {
    log.warn(
      { err: error, shareId },
      "the picture of a link could not be ordered; the next reader orders it",
    );
  });
}

/** The same for a link whose picture was not found, or shows what is not true any more. */
export async function orderMissing(
  { pool, ...deps }: OrderDeps & Pick<Deps, "pool">,
  token: string,
): Promise<void> {
  const [share] = await pool.db.select({ id: shares.id }).from(shares).where(eq(shares.token, token));
  if (share !== undefined) orderPicture(deps, share.id);
}
