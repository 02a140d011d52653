import { asc, eq } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { notFound } from "#src/base/refusal.ts";
import type { WebhooksAnswer, WebhookView } from "./schemas.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

/** All webhooks, oldest first. There are few: see WEBHOOKS_MAX. */
export async function listWebhooks(db: Queryable, now: Date): Promise<WebhooksAnswer> {
  const rows = await db.select().from(webhooks).orderBy(asc(webhooks.id));
  return { webhooks: rows.map((row) => presentWebhook(row, now)) };
}

/** A webhook's row, locked until the end of the transaction. Refuses an unknown one: 404. */
export async function lockWebhook(tx: Transaction, id: number): Promise<WebhookRow> {
  const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for("no key update");
  if (row === undefined) throw notFound();
  return row;
}

/** A webhook as an admin reads it, without its secret. */
export function presentWebhook(row: WebhookRow, now: Date): WebhookView {
  const { id, name, url, format, disabledAt, failingSince, createdAt } = row;
  return {
    id,
    name,
    url,
    format,
    enabled: disabledAt === null,
    failingSince: failingSince?.toISOString() ?? null,
    rotatingUntil: rotatingUntil(row, now)?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** Until when the previous secret signs too; null if it does not any more. */
export function rotatingUntil({ previousUntil }: Pick<WebhookRow, "previousUntil">, now: Date): Date | null {
  return previousUntil === null || previousUntil <= now ? null : previousUntil;
}
