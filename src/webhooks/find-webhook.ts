import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { type AuditEntry, writeAudit } from "#src/base/audit.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { notFound } from "#src/base/refusal.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import type { DeliveryState } from "./contract.ts";
import {
  type DeliveriesAnswer,
  deliverySchema,
  type DeliveryView,
  type WebhooksAnswer,
  webhookSchema,
  type WebhookView,
} from "./schemas.ts";

type WebhookRow = typeof webhooks.$inferSelect;

/** All webhooks, oldest first. There are few: see WEBHOOKS_MAX. */
export async function listWebhooks(db: Queryable, now: Date): Promise<WebhooksAnswer> {
  const rows = await db.select().from(webhooks).orderBy(asc(webhooks.id));
  const named = await findSessions(
    db,
    rows.flatMap(({ sessionIds }) => sessionIds),
  );
  return { webhooks: rows.map((row) => presentNamed(row, named, now)) };
}

/** A webhook's row, locked until the end of the transaction. Refuses an unknown one: 404. */
export async function lockWebhook(tx: Transaction, id: number): Promise<WebhookRow> {
  const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for("no key update");
  if (row === undefined) throw notFound();
  return row;
}

/** A webhook as an admin reads it, without its secret. */
export async function presentWebhook(db: Queryable, row: WebhookRow, now: Date): Promise<WebhookView> {
  return presentNamed(row, await findSessions(db, row.sessionIds), now);
}

type NamedSession = WebhookView["sessions"][number];

async function findSessions(db: Queryable, ids: readonly number[]): Promise<NamedSession[]> {
  if (ids.length === 0) return [];
  const { id, slug, name } = sessions;
  return db.select({ id, slug, name }).from(sessions).where(anyOf(id, ids));
}

/** It is told about no other session instead, so it still names this one. */
const deleted = (id: number): NamedSession => ({ id, slug: String(id), name: "A deleted session" });

function presentNamed(row: WebhookRow, named: readonly NamedSession[], now: Date): WebhookView {
  const find = (id: number) => named.find((session) => session.id === id) ?? deleted(id);
  return present(webhookSchema, {
    ...row,
    sessions: row.sessionIds.map(find),
    enabled: row.disabledAt === null,
    rotatingUntil: rotatingUntil(row, now),
  });
}

/** Until when the previous secret signs too; null if it does not any more. */
export function rotatingUntil({ previousUntil }: Pick<WebhookRow, "previousUntil">, now: Date): Date | null {
  return previousUntil === null || previousUntil <= now ? null : previousUntil;
}

/** The webhooks that are on and whose last attempts have all failed, the one that fails for the longest first. `reason`: null while one is tried. */
export async function listFailingWebhooks(db: Queryable) {
  const { attemptedAt, deliveredAt, dueAt, error, failedAt, id, webhookId } = webhookDeliveries;
  const isUnsent = and(isNull(deliveredAt), isNull(failedAt));
  const nextAt: SQL<Date | null> = sql`min(${dueAt})`.mapWith(dueAt);
  const lastError = sql<
    string | null
  >`(array_agg(${error} ORDER BY ${attemptedAt} DESC) FILTER (WHERE ${error} IS NOT NULL))[1]`;
  const rows = await db
    .select({
      id: webhooks.id,
      name: webhooks.name,
      failingSince: webhooks.failingSince,
      waiting: sql<number>`count(${id})::int`,
      reason: lastError,
      nextAt,
    })
    .from(webhooks)
    .leftJoin(webhookDeliveries, and(eq(webhookId, webhooks.id), isUnsent))
    .where(and(isNull(webhooks.disabledAt), isNotNull(webhooks.failingSince)))
    .groupBy(webhooks.id)
    .orderBy(asc(webhooks.failingSince));
  return rows.flatMap(({ failingSince, reason, ...row }) => {
    const hidden = reason === null ? null : hideValues(reason);
    return failingSince === null ? [] : [{ ...row, failingSince, reason: hidden }];
  });
}

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** A page of what was sent to a webhook, newest first. Refuses an unknown webhook: 404. */
export async function listDeliveries(
  db: Queryable,
  { webhookId, page }: { webhookId: number; page: Page },
  now: Date,
): Promise<DeliveriesAnswer> {
  const ofWebhook = eq(webhookDeliveries.webhookId, webhookId);
  const [known, total, rows] = await Promise.all([
    db.$count(webhooks, eq(webhooks.id, webhookId)),
    db.$count(webhookDeliveries, ofWebhook),
    db
      .select()
      .from(webhookDeliveries)
      .where(ofWebhook)
      .orderBy(desc(webhookDeliveries.id))
      .limit(page.perPage)
      .offset(page.offset),
  ]);
  if (known === 0) throw notFound();
  return { deliveries: rows.map(presentDelivery), meta: listMeta(page, total, now) };
}

export function presentDelivery(row: DeliveryRow): DeliveryView {
  const state = stateOf(row);
  return present(deliverySchema, { ...row, state, dueAt: state === "waiting" ? row.dueAt : null });
}

function stateOf({ deliveredAt, failedAt }: DeliveryRow): DeliveryState {
  if (deliveredAt !== null) return "delivered";
  return failedAt === null ? "waiting" : "failed";
}

/** What an admin did with a webhook. The address may have a secret of the receiver in it, so the entry names its host only. */
type WebhookDeed = Omit<AuditEntry, "subject"> & { webhookId: number };

export async function auditWebhook(tx: Transaction, { webhookId: id, ...deed }: WebhookDeed): Promise<void> {
  await writeAudit(tx, { ...deed, subject: { type: "webhook", id } });
}

export function auditedValues(
  row: Pick<WebhookRow, "name" | "url" | "format" | "sessionIds" | "kinds" | "disabledAt">,
) {
  return {
    name: row.name,
    host: new URL(row.url).host,
    format: row.format,
    ...(row.sessionIds.length > 0 && { sessions: row.sessionIds }),
    ...(row.kinds.length > 0 && { kinds: row.kinds }),
    enabled: row.disabledAt === null,
  };
}
