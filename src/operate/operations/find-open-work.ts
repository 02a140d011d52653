import { and, isNull } from "drizzle-orm";
import * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { mails } from "#db/schema/mails.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";

type FailedJob = { queueName: string; data: unknown };

const mailData = v.object({ mailId: v.number() });
const deliveryData = v.object({ deliveryId: v.number() });
const settlementData = v.object({ eventId: v.number() });

/**
 * Finds out whether the work of failed jobs is still to be done: sweeps do it too.
 * @returns says it for each of these jobs; null where only the job knows.
 */
export async function findOpenWork(
  db: Queryable,
  jobs: readonly FailedJob[],
): Promise<(job: FailedJob) => boolean | null> {
  const idsOf = (queue: string, idIn: (data: unknown) => number | null) =>
    jobs.flatMap(({ queueName, data }) => (queueName === queue ? (idIn(data) ?? []) : []));
  const [unsent, undelivered, unpaid] = await Promise.all([
    findUnsent(db, idsOf("mails", mailIdIn)),
    findUndelivered(db, idsOf("webhooks", deliveryIdIn)),
    findUnpaid(db, idsOf("settlements", eventIdIn)),
  ]);
  return ({ queueName, data }) => {
    if (queueName === "mails") return isAmong(unsent, mailIdIn(data));
    if (queueName === "webhooks") return isAmong(undelivered, deliveryIdIn(data));
    return queueName === "settlements" ? isAmong(unpaid, eventIdIn(data)) : null;
  };
}

const mailIdIn = (data: unknown) => (v.is(mailData, data) ? data.mailId : null);
const deliveryIdIn = (data: unknown) => (v.is(deliveryData, data) ? data.deliveryId : null);
const eventIdIn = (data: unknown) => (v.is(settlementData, data) ? data.eventId : null);
const isAmong = (ids: ReadonlySet<number>, id: number | null) => (id === null ? null : ids.has(id));

async function findUnsent(db: Queryable, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { id, sentAt, failedAt } = mails;
  const rows = await db
    .select({ id })
    .from(mails)
    .where(and(anyOf(id, ids), isNull(sentAt), isNull(failedAt)));
  return new Set(rows.map((row) => row.id));
}

async function findUndelivered(db: Queryable, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { id, deliveredAt, failedAt } = webhookDeliveries;
  const rows = await db
    .select({ id })
    .from(webhookDeliveries)
    .where(and(anyOf(id, ids), isNull(deliveredAt), isNull(failedAt)));
  return new Set(rows.map((row) => row.id));
}

async function findUnpaid(db: Queryable, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  return new Set((await listUnpaidSettlements(db, ids)).map(({ eventId }) => eventId));
}
