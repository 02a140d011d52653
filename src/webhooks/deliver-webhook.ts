import { and, eq, isNotNull, isNull, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { queryFirst, queryRows } from "#db/ledger/query.ts";
import { webhookFormats } from "#db/lists/webhooks.ts";
import { sessions } from "#db/schema/sessions.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import {
  type Claim,
  type Due,
  dueRow,
  type DueRows,
  enqueueDue,
  type Failure,
  type Outcome,
  sendDue,
  sendOverdue,
} from "#src/base/due-rows.ts";
import { madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { inSpan } from "#src/base/spans.ts";
import { say } from "#src/http/contract.ts";
import { createHostPlaces, HostBusy } from "#src/http/outside/host-places.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import { requestOutside, startOf } from "#src/http/outside/request-outside.ts";
import { notifyStaff } from "#src/people/notifications/write-notifications.ts";
import { hasPrivate } from "#src/play/access-denied.ts";
import type { Env } from "#src/settings/env.ts";
import {
  FAILING_HOURS_MAX,
  ID_HEADER,
  PING_TYPE,
  RETRY_AFTER_SECONDS,
  RESENT_MAX,
  RETRY_SECONDS,
  TYPE_HEADER,
} from "./contract.ts";
import { auditWebhook, lockWebhook, presentDelivery } from "./find-webhook.ts";
import { describeNoAnswer, findFailure, type Received } from "./judge-answer.ts";
import type { DeliveryView, PingMessage, ResendBody } from "./schemas.ts";
import { isWebhookAddress, signatureHeaders } from "./sign-body.ts";
import { writeBody } from "./write-body.ts";

// The life of a delivery: the relay writes it, or an admin a test; a job or the sweep sends it (src/base/due-rows.ts says when, and when
// again); what came of it is noted; an admin may send it again; and it is deleted when it is old.

// Decision: a webhook gets what the cable broadcasts, byte for byte. Its JSON has the offset of the stream, so that a receiver can
// order what arrives out of order.

// Decision: breaks of players change nothing here. A webhook tells programs and channels of the show what all may read of it, and no player of
// anything that is theirs.

// Decision: a webhook is told about the sessions that it names, or, if it names none, about all that are not private: a private session
// goes only where somebody has named it. The relay asks when it writes a delivery, and the worker again when it sends it, because a
// session may have become private, or the choice another one, while a message waited. The session is read from the message, so what
// a process of another release has written is judged too. It may choose kinds of messages too, which is asked at the same places.

/** How deliveries wait: those of each webhook for its receiver. */
export const deliveryRows: DueRows = {
  table: webhookDeliveries,
  sentAt: "delivered_at",
  receiver: "webhook_id",
  awaySince: sql`(SELECT coalesce(failing_since, game_now()) FROM ${webhooks} WHERE ${webhooks.id} = webhook_id)`,
  now: sql`game_now()`,
  queue: "webhooks",
  addJob: (queues, deliveryId, dueMs) => queues.deliverWebhook({ deliveryId }, dueMs),
  claimSeconds: 60,
  waitSeconds: (attempts) => RETRY_AFTER_SECONDS[attempts - 1] ?? null,
  triedForSeconds: RETRY_SECONDS,
  eachAfterMs: 50,
  overdueSeconds: 10,
  batchSize: 20,
  // Together, because each may wait for a slow receiver.
  atOnce: 20,
  unsentSeconds: 60,
  slow: null,
};

const writtenRow = v.object({ id: v.pipe(v.string(), v.toNumber()) });

/** A fact as it was broadcast: the name of its message, and its JSON. `wasPrivate`: it is that a private session was deleted. */
export type BroadcastFact = { factId: number; type: string; body: string; wasPrivate: boolean };

/** Writes a delivery of each fact to each webhook that is told about its session, where the facts are marked as broadcast: each once. @returns what to enqueue. */
export async function writeDeliveries(
  tx: Transaction,
  facts: readonly BroadcastFact[],
): Promise<{ id: number }[]> {
  if (facts.length === 0) return [];
  return queryRows(tx, writtenRow)`
    INSERT INTO ${webhookDeliveries} (webhook_id, fact_id, type, body)
    SELECT w.id, fact."factId", fact.type, fact.body
    FROM jsonb_to_recordset(${JSON.stringify(facts)}::text::jsonb) AS fact("factId" bigint, type text, body text, "wasPrivate" boolean)
      CROSS JOIN ${webhooks} w
    WHERE w.disabled_at IS NULL
      AND ${isTold({ type: sql`fact.type`, body: sql`fact.body` }, sql`fact."wasPrivate"`)}
    ORDER BY fact."factId", w.id
    ON CONFLICT DO NOTHING
    RETURNING id`;
}

/** In SQL: the session that a message is about; null for a test. @param body the JSON of the cable. */
function sessionOf(body: SQLWrapper): SQL {
  const at = (place: string) => sql`${body}::jsonb #>> ${sql.raw(`'{detail,${place}}'`)}`;
  return sql`coalesce(${at("session,id")}, ${at("event,sessionId")}, ${at("sessionId")})::bigint`;
}

/** In SQL: the webhook is told this message, as things are now. Of a deleted session only the deletion is told, which has no texts. */
function isTold(
  { type, body }: { type: SQLWrapper; body: SQLWrapper },
  wasPrivate: SQLWrapper = sql`FALSE`,
): SQL {
  const named = sql`w.session_ids`;
  return sql`CASE WHEN ${sessionOf(body)} IS NULL THEN TRUE
    WHEN cardinality(w.kinds) > 0 AND ${type} <> ALL (w.kinds) THEN FALSE
    WHEN cardinality(${named}) > 0 THEN ${sessionOf(body)} = ANY (${named})
    WHEN ${type} = 'Session/destroy' THEN NOT ${wasPrivate}
    ELSE EXISTS (SELECT FROM ${sessions} WHERE ${sessions.id} = ${sessionOf(body)} AND NOT ${hasPrivate(sessions.settings)}) END`;
}

type WebhookDeps = Pick<Deps, "env" | "pool" | "queues" | "log" | "notifyRelay">;

/** A receiver that is slow must not take the places of all others. */
const places = createHostPlaces();

const NOT_TOLD = "This webhook is not told about this.";

/** Sends a message to a webhook, if it is due. While too many others are sent to its host, it waits, and that is no attempt. @returns as sendDue. */
export async function deliverWebhook(deps: WebhookDeps, deliveryId: number): Promise<number | null> {
  const seen = { hasFailed: false };
  const waitMs = await sendDue(deps, deliveryRows, deliveryId, async (claim) => {
    const outcome = await attemptDelivery(deps, claim);
    seen.hasFailed = "failure" in outcome && outcome.failure !== null;
    return outcome;
  });
  // Admins may have been notified.
  if (seen.hasFailed && waitMs === null) deps.notifyRelay();
  return waitMs;
}

const deliveryRow = v.object({
  webhookId: v.pipe(v.string(), v.toNumber()),
  isTest: v.boolean(),
  type: v.string(),
  body: v.string(),
  isTold: v.boolean(),
  url: v.string(),
  /** One of a newer release is not known here. */
  format: v.fallback(v.picklist(webhookFormats), "json"),
  secretSalt: v.string(),
  /** Null if it does not sign any more. */
  previousSalt: v.nullable(v.string()),
});
type Delivery = v.InferOutput<typeof deliveryRow> & Claim;

async function readDelivery(db: Queryable, claim: Claim): Promise<Delivery | null> {
  const row = await queryFirst(db, deliveryRow)`
    SELECT w.id AS "webhookId", d.fact_id IS NULL AS "isTest", d.type, d.body, w.url, w.format, w.secret_salt AS "secretSalt",
      CASE WHEN w.previous_until > game_now() THEN w.previous_salt END AS "previousSalt",
      ${isTold({ type: sql`d.type`, body: sql`d.body` })} AS "isTold"
    FROM ${webhookDeliveries} d JOIN ${webhooks} w ON w.id = d.webhook_id WHERE d.id = ${claim.id}`;
  return row === null ? null : { ...row, ...claim };
}

async function attemptDelivery(deps: WebhookDeps, claim: Claim): Promise<Outcome> {
  const delivery = await readDelivery(deps.pool.db, claim);
  if (delivery?.isTold !== true) return { dropped: NOT_TOLD };
  const came = await sendDelivery(deps, delivery);
  if (typeof came === "number") return { postponedMs: came };
  const { failure, ...attempt } = came;
  if (failure !== null)
    deps.log.info({ deliveryId: claim.id, error: failure.error }, "a webhook did not take a message");
  return {
    // A test is tried once, because an admin looks on.
    failure: failure !== null && delivery.isTest ? { ...failure, retry: "never" } : failure,
    note: (tx) => noteAttempt(tx, delivery, { attempt, failure }),
  };
}

type Attempt = { status: number | null; answer: string | null; tookMs: number };

/** @returns what came of it; the milliseconds until its host has a place, if it has none. */
async function sendDelivery(
  { env }: WebhookDeps,
  delivery: Delivery,
): Promise<(Attempt & { failure: Failure | null }) | number> {
  const { id, type, url, format } = delivery;
  const body = writeBody(env, format, delivery);
  const startMs = performance.now();
  const took = () => Math.round(performance.now() - startMs);
  try {
    const headers = {
      "content-type": "application/json",
      "user-agent": "CalledIt-Webhooks/1",
      [ID_HEADER]: String(id),
      [TYPE_HEADER]: type,
      ...signatureHeaders(env, { ...delivery, body }),
    };
    const post = () => postDelivery(env, { url, headers, body });
    const { headers: said, ...received } = await inSpan("post a webhook", post, { kind: "client" });
    return { ...received, tookMs: took(), failure: findFailure(format, { ...received, headers: said }) };
  } catch (error) {
    if (error instanceof HostBusy) return error.waitMs;
    const failure: Failure = { error: describeNoAnswer(error), retry: "as planned" };
    return { status: null, answer: null, tookMs: took(), failure };
  }
}

/** Posts a message, and reads the start of the answer. @throws NotPublic; HostBusy if too many requests to its host are under way; or there is no answer. */
export async function postDelivery(
  env: Pick<Env, "production">,
  outgoing: { url: string; headers: Record<string, string>; body: string },
  timeoutMs?: number,
): Promise<Received> {
  if (!isWebhookAddress(env, outgoing.url))
    throw new NotPublic("The address is not one that messages may be sent to.");
  const request = { ...outgoing, method: "POST" };
  const answer = await requestOutside(request, { publicOnly: env.production, places, timeoutMs });
  return { status: answer.status, answer: startOf(answer), headers: answer.headers };
}

/** Notes what came of an attempt, and whether the webhook takes messages: one that says when to ask again does. @returns whether it has failed until now. */
async function noteAttempt(
  tx: Transaction,
  { id, webhookId, isTest, at }: Delivery,
  { attempt, failure }: { attempt: Attempt; failure: Failure | null },
): Promise<boolean> {
  // The webhook first, as where it is switched off or deleted: PostgreSQL locks it when a transaction writes the same delivery twice.
  const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for("key share");
  let isBack = false;
  if (failure === null && webhook?.failingSince != null) {
    const hasFailed = and(eq(webhooks.id, webhookId), isNotNull(webhooks.failingSince));
    const back = await tx.update(webhooks).set({ failingSince: null }).where(hasFailed).returning();
    isBack = back.length > 0;
  } else if (failure !== null && !isTest && typeof failure.retry === "string") {
    await countFailure(tx, webhookId);
  }
  await tx
    .update(webhookDeliveries)
    .set({ ...attempt, attemptedAt: at })
    .where(eq(webhookDeliveries.id, id));
  return isBack;
}

async function countFailure(tx: Transaction, webhookId: number): Promise<void> {
  const [webhook] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, game_now())` })
    .where(eq(webhooks.id, webhookId))
    .returning({
      name: webhooks.name,
      isOver: sql<boolean>`${webhooks.disabledAt} IS NULL
        AND ${webhooks.failingSince} <= game_now() - make_interval(hours => ${FAILING_HOURS_MAX})`,
    });
  if (webhook?.isOver !== true) return;
  await tx
    .update(webhooks)
    .set({ disabledAt: sql`game_now()` })
    .where(eq(webhooks.id, webhookId));
  const change = { before: { enabled: true }, after: { enabled: false } };
  await auditWebhook(tx, { actor: null, action: "disable_webhook", webhookId, ...change });
  const title = say`The webhook ${webhook.name} was switched off`;
  const body = "It has taken no message for a day. Repair its receiver, send a test, and switch it on again.";
  await notifyStaff(tx, { title, body, url: "/admin/webhooks" }, ["admin"]);
  await giveUpWaiting(tx, webhookId);
}

/** Gives up what waits for a webhook, in the transaction that switches it off. Each can be sent again by hand. */
export async function giveUpWaiting(tx: Transaction, webhookId: number): Promise<void> {
  const { webhookId: ofWebhook, deliveredAt, failedAt } = webhookDeliveries;
  await tx
    .update(webhookDeliveries)
    .set({ failedAt: sql`game_now()`, error: "The webhook was switched off." })
    .where(and(eq(ofWebhook, webhookId), isNull(deliveredAt), isNull(failedAt)));
}

/** Sends a test to a webhook. It is tried once, because an admin looks on. Refuses an unknown webhook: 404. */
export async function pingWebhook(
  deps: Pick<Deps, "pool" | "queues" | "log">,
  webhook: { id: number; now: Date },
  keyed: MaybeKeyed = null,
): Promise<DeliveryView> {
  const row = await inTransaction(deps.pool.db, async (tx) => {
    const { id } = await once(tx, keyed, madeRow, () => insertPing(tx, webhook));
    return stillThere(await tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)));
  });
  await enqueueDue(deps, deliveryRows, [row]);
  return presentDelivery(row);
}

async function insertPing(tx: Transaction, { id, now }: { id: number; now: Date }): Promise<{ id: number }> {
  const { name } = await lockWebhook(tx, id);
  const detail = { webhook: { id, name }, serverTime: now.toISOString() };
  const message: PingMessage = { sourceType: "Webhook", eventType: "ping", detail };
  const body = JSON.stringify(message);
  const [written] = await tx
    .insert(webhookDeliveries)
    .values({ webhookId: id, type: PING_TYPE, body })
    .returning({ id: webhookDeliveries.id });
  if (written === undefined) throw new Error("the insert of a delivery returned no row");
  return written;
}

/** Sends a delivery again, now, however far it has come. Refuses an unknown one: 404. */
export async function resendDelivery(
  deps: Pick<Deps, "pool" | "queues" | "log">,
  id: number,
): Promise<DeliveryView> {
  const [row] = await deps.pool.db
    .update(webhookDeliveries)
    .set({ dueAt: sql`game_now()`, deliveredAt: null, failedAt: null })
    .where(eq(webhookDeliveries.id, id))
    .returning();
  if (row === undefined) throw notFound();
  await enqueueDue(deps, deliveryRows, [row]);
  return presentDelivery(row);
}

type Range = ResendBody & { webhookId: number; actor: Actor };

/** Sends again what was sent to a webhook in a time, each once, in their order. Refuses an unknown webhook (404), and too many (422). @returns how many. */
export async function resendDeliveries(
  deps: Pick<Deps, "pool" | "queues" | "log">,
  { webhookId, actor, from, to, kind }: Range,
  keyed: MaybeKeyed = null,
): Promise<number> {
  if (from >= to) throw invalid({ to: ["must be after from"] });
  const due: Due[] = [];
  const { resent } = await inTransaction(deps.pool.db, async (tx) => {
    await lockWebhook(tx, webhookId);
    return once(tx, keyed, resentRange, async () => {
      due.push(...(await makeDueAgain(tx, { webhookId, from, to, kind })));
      if (due.length > RESENT_MAX) throw tooManyToResend();
      if (due.length === 0) return { resent: 0 };
      const after = { from, to, kind: kind ?? null, resent: due.length };
      await auditWebhook(tx, { actor, action: "resend_webhook_deliveries", webhookId, after });
      return { resent: due.length };
    });
  });
  await enqueueDue(deps, deliveryRows, due);
  return resent;
}

const resentRange = v.object({ resent: v.number() });

function tooManyToResend() {
  const errors = { deliveries: [`are too many (maximum is ${RESENT_MAX})`] };
  return invalid(errors, {
    detail: `These are more than ${RESENT_MAX} messages. Choose a shorter time, or one kind.`,
  });
}

/** What is over is due again, one after the other. */
function makeDueAgain(tx: Transaction, { webhookId, from, to, kind }: Omit<Range, "actor">): Promise<Due[]> {
  return queryRows(tx, dueRow)`
    UPDATE ${webhookDeliveries} SET delivered_at = NULL, failed_at = NULL,
      due_at = game_now() + line.place * ${deliveryRows.eachAfterMs} * interval '1 ms'
    FROM (
      SELECT id AS again_id, row_number() OVER (ORDER BY id) - 1 AS place FROM ${webhookDeliveries}
      WHERE webhook_id = ${webhookId} AND fact_id IS NOT NULL AND (delivered_at IS NOT NULL OR failed_at IS NOT NULL)
        AND created_at >= ${from.toISOString()}::timestamptz AND created_at < ${to.toISOString()}::timestamptz
        AND ${kind === undefined ? sql`TRUE` : sql`type = ${kind}`} ORDER BY id LIMIT ${RESENT_MAX + 1}
    ) line
    WHERE id = line.again_id RETURNING id::text, due_at AS "dueAt"`;
}

export function deliverDueWebhooks(deps: WebhookDeps): Promise<void> {
  return sendOverdue(deps, deliveryRows, (id) => deliverWebhook(deps, id));
}
