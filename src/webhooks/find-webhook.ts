import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Queryable, Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { notFound } from "#src/base/refusal.ts";
import type { WebhooksAnswer, WebhookView } from "./schemas.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

/** All webhooks, oldest first. There are few: see WEBHOOKS_MAX. */
export async function listWebhooks(db: Queryable, now: Date): Promise<WebhooksAnswer> {
  const rows = await db.select().from(webhooks).orderBy(asc(webhooks.id));
  const named = await findSessions(
    db,
    rows.flatMap(({ sessionIds }) => sessionIds),
  );
  return { webhooks: rows.map((row) => present(row, named, now)) };
}

/** A webhook's row, locked until the end of the transaction. Refuses an unknown one: 404. */
export async function lockWebhook(tx: Transaction, id: number): Promise<WebhookRow> {
  const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for("no key update");
  if (row === undefined) throw notFound();
  return row;
}

/** A webhook as an admin reads it, without its secret. */
export async function presentWebhook(db: Queryable, row: WebhookRow, now: Date): Promise<WebhookView> {
  return present(row, await findSessions(db, row.sessionIds), now);
}

type NamedSession = WebhookView["sessions"][number];

async function findSessions(db: Queryable, ids: readonly number[]): Promise<NamedSession[]> {
  if (ids.length === 0) return [];
  const { id, slug, name } = sessions;
  return db.select({ id, slug, name }).from(sessions).where(anyOf(id, ids));
}

/** It is told about no other session instead, so it still names this one. */
const deleted = (id: number): NamedSession => ({ id, slug: String(id), name: "A deleted session" });

function present(row: WebhookRow, named: readonly NamedSession[], now: Date): WebhookView {
  const { id, name, url, format, sessionIds, disabledAt, failingSince, createdAt } = row;
  return {
    id,
    name,
    url,
    format,
    sessions: sessionIds.map((each) => named.find((session) => session.id === each) ?? deleted(each)),
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

/** A webhook that is on and whose last attempts have all failed. */
export type FailingWebhook = {
  id: number;
  name: string;
  failingSince: Date;
  /** How many messages wait for it. */
  waiting: number;
  /** Why the last attempt failed; null while it is tried. */
  reason: string | null;
  /** When the next message is sent. */
  nextAt: Date | null;
};

/** Those webhooks, the one that fails for the longest first. */
export async function listFailingWebhooks(db: Queryable): Promise<FailingWebhook[]> {
  const { attemptedAt, deliveredAt, dueAt, error, failedAt, id, webhookId } = webhookDeliveries;
  const isUnsent = and(isNull(deliveredAt), isNull(failedAt));
  const rows = await db
    .select({
      id: webhooks.id,
      name: webhooks.name,
      failingSince: webhooks.failingSince,
      waiting: sql<number>`count(${id})::int`,
      reason: sql<
        string | null
      >`(array_agg(${error} ORDER BY ${attemptedAt} DESC) FILTER (WHERE ${error} IS NOT NULL))[1]`,
      nextAt: sql`min(${dueAt})`.mapWith(dueAt),
    })
    .from(webhooks)
    .leftJoin(webhookDeliveries, and(eq(webhookId, webhooks.id), isUnsent))
    .where(and(isNull(webhooks.disabledAt), isNotNull(webhooks.failingSince)))
    .groupBy(webhooks.id)
    .orderBy(asc(webhooks.failingSince));
  return rows.flatMap(({ failingSince, ...row }) =>
    failingSince === null ? [] : [{ ...row, failingSince }],
  );
}
