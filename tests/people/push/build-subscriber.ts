import { eq } from "drizzle-orm";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import type { PushSubscriptionBody } from "#src/people/push/schemas.ts";
import { buildPlayer, only } from "#tests/support/build.ts";
import type { PushService } from "./push-service.ts";

/** A player with a browser that gets messages from this push service. */
export async function buildSubscriber(
  { pool }: Pick<Deps, "pool">,
  service: PushService,
  wanted: Partial<PushSubscriptionBody> = {},
) {
  const { db } = pool;
  const player = await buildPlayer({ pool });
  const browser = service.browser();
  const expiresAt = new Date(Date.now() + 86_400_000);
  const signIn = only(
    await db.insert(signIns).values({ userId: player.id, csrfSecret: "secret", expiresAt }).returning(),
  );
  const values = { userId: player.id, signInId: signIn.id, ...browser.subscription(wanted) };
  const { id } = only(await db.insert(pushSubscriptions).values(values).returning());
  const row = async () => (await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.id, id)))[0];
  return { player, browser, id, row };
}
