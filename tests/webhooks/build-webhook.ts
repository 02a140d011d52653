import { asc, eq, sql } from "drizzle-orm";
import type { WebhookKind } from "#db/lists/webhooks.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import { changeEventState } from "#src/show/events/change-event-state.ts";
import { createWebhook } from "#src/webhooks/manage-webhooks.ts";
import { buildAdmin, buildEvent, buildRunningSession, only } from "#tests/support/build.ts";

type WebhookDeps = Pick<Deps, "env" | "pool">;

/** A webhook that is on. Returns its id and its secret. */
export async function buildWebhook(
  deps: WebhookDeps,
  url: string,
  name = "Scoreboard",
  told: string[] | { kinds: WebhookKind[] } = [],
): Promise<{ id: number; secret: string }> {
  const { webhook, secret } = await createWebhook(deps, {
    name,
    url,
    format: "json",
    ...(Array.isArray(told) ? { sessions: told } : told),
    actor: null,
    now: new Date(),
  });
  return { id: webhook.id, secret };
}

/** The deliveries of a webhook, oldest first. */
export function deliveriesOf({ pool }: Pick<Deps, "pool">, webhookId: number) {
  return pool.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(asc(webhookDeliveries.id));
}

export async function webhookRow({ pool }: Pick<Deps, "pool">, id: number) {
  return only(await pool.db.select().from(webhooks).where(eq(webhooks.id, id)));
}

/** A delivery that is due now. Returns its id. */
export async function buildDelivery({ pool }: Pick<Deps, "pool">, webhookId: number): Promise<number> {
  const factId = sql`(SELECT coalesce(max(fact_id), 0) + 1 FROM webhook_deliveries)`;
  const values = { webhookId, factId, type: "Event/resolve", body: `{"hello":"world"}` };
  const rows = await pool.db.insert(webhookDeliveries).values(values).returning({ id: webhookDeliveries.id });
  return only(rows).id;
}

/** What is told: an action of a running session, and its result. */
export async function buildDecider(deps: Deps) {
  const admin = await buildAdmin(deps);
  return {
    buildClosed: async () => {
      const session = await buildRunningSession(deps);
      return { session, event: await buildEvent(deps, "closed", { sessionId: session.id }) };
    },
    resolve: (web: Parameters<typeof changeEventState>[0], eventId: number) =>
      changeEventState(web, {
        eventId,
        actor: { id: admin.id },
        body: { stateEvent: "resolve", result: true },
        ifVersion: null,
      }),
  };
}
