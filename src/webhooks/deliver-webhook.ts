import { and, asc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import type { WebhookFormat } from "#db/lists/webhooks.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { outagePauseSeconds } from "#src/base/outage-pause.ts";
import { inSpan } from "#src/base/spans.ts";
import { createHostPlaces, HostBusy } from "#src/http/outside/host-places.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import {
  OUTSIDE_TIMEOUT_MS,
  type OutsideAnswer,
  requestOutside,
  startOf,
  TimedOut,
} from "#src/http/outside/request-outside.ts";
import { notifyStaff } from "#src/people/notifications/notify-staff.ts";
import type { Env } from "#src/settings/env.ts";
import { auditWebhook } from "./audit-webhook.ts";
import { claimDelivery, type ClaimedDelivery, postponeDelivery } from "./claim-delivery.ts";
import {
  DELIVERY_DAYS,
  FAILING_HOURS_MAX,
  ID_HEADER,
  RETRY_AFTER_SECONDS,
  RETRY_SECONDS,
  SIGNATURE_HEADER,
  TYPE_HEADER,
} from "./contract.ts";
import { enqueueDeliveries } from "./enqueue-deliveries.ts";
import { giveUpWaiting } from "./give-up-waiting.ts";
import { signBody } from "./sign-body.ts";
import { makeDueAfterOutage, placeInLine } from "./waiting-deliveries.ts";
import { isWebhookAddress } from "./webhook-address.ts";
import { writeBody } from "./write-body.ts";

const SECOND_MS = 1_000;

const causes: Record<string, string> = {
  ECONNREFUSED: "Nothing listens at this address.",
  ENOTFOUND: "The name of the host is unknown.",
  EAI_AGAIN: "The name of the host cannot be looked up at the moment.",
  ECONNRESET: "The connection was closed without an answer.",
  CERT_HAS_EXPIRED: "The certificate of the host has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate of the host is not signed by an authority.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate of the host is not signed by an authority.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate of the host cannot be verified.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is that of another host.",
};

type WebhookDeps = Pick<Deps, "env" | "pool" | "queues" | "log" | "notifyRelay">;

const BATCH_SIZE_MAX = 20;
/** A message that was enqueued is normally sent within this time. */
const OVERDUE_SECONDS = 10;

/** A receiver may not put a message off for longer at a time. */
const AFTER_MAX_S = 3_600;
const BUSY = 429;
/** With these a receiver may say when to come back. */
const putsOff = [BUSY, 503];
/** These say nothing about the message. */
const passing = [408, 425, BUSY];
/** The same at Discord, by the code of its answer. */
const discordCauses: Readonly<Record<number, string>> = {
  10_015: "Discord does not know this webhook any more. Make another one in Discord and enter its address.",
  50_027: "The address is not right. Copy it from Discord again.",
};

const discordAnswer = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ code: v.fallback(v.number(), 0), retry_after: v.optional(v.number()) }),
);

/** A receiver that is slow must not take the places of all others. */
const places = createHostPlaces();

/**
 * Sends a message to a webhook, if it is due. A receiver gets it twice only if this process dies between the answer and the record
 * of it; the message has the same id then. While too many others are sent to its host, it waits, and that is no attempt.
 * @returns null if nothing is left to do, else the milliseconds until the next attempt.
 */
export async function deliverWebhook(deps: WebhookDeps, deliveryId: number): Promise<number | null> {
  const claimed = await claimDelivery(deps, deliveryId);
  if (claimed === null || typeof claimed === "number") return claimed;
  const attempt = await attemptDelivery(deps, claimed);
  if (typeof attempt === "number") return postponeDelivery(deps, claimed, attempt);
  const { failure, ...came } = attempt;
  if (failure === null) {
    await recordSuccess(deps, claimed, came);
    return null;
  }
  deps.log.info({ deliveryId, error: failure.error }, "a webhook did not take a message");
  return recordFailure(deps, claimed, { attempt: came, failure });
}

/** @returns what came of it; the milliseconds until its host has a place, if it has none. */
async function attemptDelivery(
  { env }: WebhookDeps,
  delivery: ClaimedDelivery,
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
      [SIGNATURE_HEADER]: signBody(env, delivery, { body, atSeconds: delivery.atSeconds }),
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

/** Why there was no answer, in words. */
function describeNoAnswer(error: unknown): string {
  if (error instanceof NotPublic) return "The address leads into a private network.";
  if (error instanceof TimedOut) return `There was no answer within ${OUTSIDE_TIMEOUT_MS / SECOND_MS} s.`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return causes[code] ?? "It cannot be reached.";
}

/** What came of an attempt. */
type Attempt = { status: number | null; answer: string | null; tookMs: number };

type RecordDeps = Pick<Deps, "pool" | "notifyRelay">;

/** Records that a message has arrived. If it is the first one after failures, it sends what waits for the webhook too. */
async function recordSuccess(
  deps: Pick<Deps, "pool" | "queues" | "log">,
  { id, webhookId, atSeconds }: ClaimedDelivery,
  attempt: Attempt,
): Promise<void> {
  const waiting = await inTransaction(deps.pool.db, async (tx) => {
    await tx
      .update(webhookDeliveries)
      .set({ ...attempt, error: null, deliveredAt: sql`game_now()` })
      .where(eq(webhookDeliveries.id, id));
    const recovered = await tx
      .update(webhooks)
      .set({ failingSince: null })
      .where(and(eq(webhooks.id, webhookId), isNotNull(webhooks.failingSince)))
      .returning({ id: webhooks.id });
    return recovered.length === 0 ? [] : makeDueAfterOutage(tx, { webhookId, atSeconds });
  });
  await enqueueDeliveries(deps, waiting);
}

/**
 * Records that a message has not arrived. It is tried again, unless it was the last attempt or a test. A webhook that has failed
 * for a day is switched off, and the admins are notified.
 * @returns the milliseconds until the next attempt; null if there is none.
 */
async function recordFailure(
  deps: RecordDeps,
  delivery: ClaimedDelivery,
  { attempt, failure }: { attempt: Attempt; failure: Failure },
): Promise<number | null> {
  const { id, webhookId, isTest } = delivery;
  const { isOff, next } = await inTransaction(deps.pool.db, async (tx) => {
    // The webhook first, as where it is switched off by hand.
    // Who says when to ask again is there.
    const counts = !isTest && typeof failure.retry === "string";
    const switchedOff = counts ? await countFailure(tx, webhookId) : false;
    const again = isTest ? null : await nextAttempt(tx, delivery, failure);
    const changes =
      again === null
        ? { failedAt: sql`game_now()` }
        : { attempts: again.attempts, dueAt: sql`game_now() + make_interval(secs => ${again.waitSeconds})` };
    await tx
      .update(webhookDeliveries)
      .set({ ...attempt, error: failure.error, ...changes })
      .where(and(eq(webhookDeliveries.id, id), isNull(webhookDeliveries.failedAt)));
    if (switchedOff) await giveUpWaiting(tx, webhookId);
    return { isOff: switchedOff, next: again };
  });
  if (isOff) deps.notifyRelay();
  return isOff || next === null ? null : next.waitSeconds * 1_000;
}

/**
 * When a message is tried again, and as which attempt. The first in line asks whether its receiver is back, which is no attempt more,
 * and neither is one that the receiver has put off.
 * @returns null if it is given up.
 */
async function nextAttempt(
  tx: Transaction,
  { id, attempts }: ClaimedDelivery,
  { retry }: Failure,
): Promise<{ waitSeconds: number; attempts: number } | null> {
  if (retry === "never") return null;
  const { ageSeconds, awaySeconds, isFirst } = await placeInLine(tx, id);
  if (typeof retry === "object")
    return ageSeconds < RETRY_SECONDS
      ? { waitSeconds: retry.afterSeconds, attempts: Math.max(1, attempts - 1) }
      : null;
  if (isFirst)
    return ageSeconds < RETRY_SECONDS
      ? { waitSeconds: outagePauseSeconds(awaySeconds), attempts: Math.max(1, attempts - 1) }
      : null;
  const waitSeconds = RETRY_AFTER_SECONDS[attempts - 1];
  return waitSeconds === undefined ? null : { waitSeconds, attempts };
}

/** @returns whether the webhook is switched off now. */
async function countFailure(tx: Transaction, webhookId: number): Promise<boolean> {
  const [webhook] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, game_now())` })
    .where(eq(webhooks.id, webhookId))
    .returning({
      name: webhooks.name,
      isOver: sql<boolean>`${webhooks.disabledAt} IS NULL
        AND ${webhooks.failingSince} <= game_now() - make_interval(hours => ${FAILING_HOURS_MAX})`,
    });
  if (webhook?.isOver !== true) return false;
  await tx
    .update(webhooks)
    .set({ disabledAt: sql`game_now()` })
    .where(eq(webhooks.id, webhookId));
  await auditWebhook(tx, {
    actor: null,
    action: "disable_webhook",
    webhookId,
    before: { enabled: true },
    after: { enabled: false },
  });
  const title = `The webhook ${webhook.name} was switched off`;
  const body = "It has taken no message for a day. Repair its receiver, send a test, and switch it on again.";
  await notifyStaff(tx, { title, body, url: "/admin/webhooks" }, ["admin"]);
  return true;
}

/** Sends messages that are overdue, because Redis was away or lost its jobs, or the process that should have sent them died. */
export async function deliverDueWebhooks(
  deps: Pick<Deps, "env" | "pool" | "queues" | "log" | "notifyRelay">,
): Promise<void> {
  // While Redis is away nobody knows, and messages are sent.
  if (await deps.queues.byName.webhooks.isPaused().catch(() => false)) return;
  const { deliveredAt, failedAt, dueAt } = webhookDeliveries;
  const overdue = sql`game_now() - make_interval(secs => ${OVERDUE_SECONDS})`;
  const due = await deps.pool.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(isNull(deliveredAt), isNull(failedAt), lt(dueAt, overdue)))
    .orderBy(asc(dueAt))
    .limit(BATCH_SIZE_MAX);
  // Together, because each may wait for a slow receiver.
  await Promise.all(due.map(({ id }) => deliverWebhook(deps, id)));
}

/** Deletes deliveries that are over and too old to be listed. */
export async function pruneDeliveries({ pool }: Pick<Deps, "pool">): Promise<void> {
  const { createdAt, deliveredAt, failedAt } = webhookDeliveries;
  await deleteOldRows(pool.db, {
    table: webhookDeliveries,
    old: sql`${createdAt} < ${ago(DELIVERY_DAYS, "days")} AND (${deliveredAt} IS NOT NULL OR ${failedAt} IS NOT NULL)`,
  });
}

/** Why a message was not taken, and when it is sent again: by the plan, never, or when its receiver has asked for it. */
type Failure = { error: string; retry: "as planned" | "never" | { afterSeconds: number } };

/** What is wrong at Slack, by the text of its answer: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. */
const slackCauses: Readonly<Record<string, string>> = {
  no_service:
    "Slack has removed this webhook or switched it off. Make another one in Slack and enter its address.",
  no_active_hooks:
    "Slack has removed this webhook or switched it off. Make another one in Slack and enter its address.",
  no_service_id: "The address is not complete. Copy it from Slack again.",
  no_team: "Slack does not know this workspace. Copy the address from Slack again.",
  team_disabled: "This workspace of Slack is closed.",
  invalid_token: "The address is not right. Copy it from Slack again.",
  channel_not_found: "The channel does not exist any more. Make a webhook for another one in Slack.",
  channel_is_archived: "The channel is archived. Make a webhook for another one in Slack.",
  action_prohibited: "An admin of the workspace does not let webhooks post here.",
  posting_to_general_channel_denied: "An admin of the workspace does not let webhooks post to this channel.",
};

/**
 * Why an answer says that a message has not arrived; null if it has. A chat that refuses a message would refuse it again; another
 * program may be repaired.
 */
function findFailure(format: WebhookFormat, received: Received): Failure | null {
  const { status } = received;
  if (status >= 200 && status < 300) return null;
  const afterSeconds = putsOff.includes(status) ? readDelay(received) : null;
  if (afterSeconds !== null)
    return {
      error: `It answered ${status}: it takes no more at the moment, and has said when it does.`,
      retry: { afterSeconds },
    };
  const isRefusal = status >= 400 && status < 500 && !passing.includes(status);
  return {
    error: describe(format, received),
    retry: format !== "json" && isRefusal ? "never" : "as planned",
  };
}

function describe(format: WebhookFormat, { status, answer }: Received): string {
  if (status >= 300 && status < 400)
    return `It answered ${status}. Redirections are not followed: enter the final address.`;
  const known = format === "slack" ? slackCauses[answer] : discordCauses[readDiscord(answer)?.code ?? 0];
  if (format !== "json" && known !== undefined) return known;
  return `It answered ${status}. Any status from 200 to 299 says that a message has arrived.`;
}

/** In seconds; null if it is not said. What old versions of Discord call `retry-after` is in milliseconds, so it is read last. */
function readDelay({ headers, answer }: Received): number | null {
  const said = [headers["x-ratelimit-reset-after"], readDiscord(answer)?.retry_after, headers["retry-after"]];
  const seconds = said.map(Number).find((each) => each > 0);
  return seconds === undefined ? null : Math.min(Math.ceil(seconds), AFTER_MAX_S);
}

function readDiscord(answer: string): v.InferOutput<typeof discordAnswer> | null {
  const read = v.safeParse(discordAnswer, answer);
  return read.success ? read.output : null;
}

/** A message for a receiver. */
type Outgoing = { url: string; headers: Record<string, string>; body: string };
type Received = { status: number; answer: string; headers: OutsideAnswer["headers"] };

/**
 * Posts a message, follows no redirection, and reads the start of the answer.
 * @param timeoutMs for all of it.
 * @throws NotPublic if the address is not one that messages may be sent to; HostBusy if too many requests to its host are under way;
 *   other errors if there is no answer.
 */
export async function postDelivery(
  env: Pick<Env, "production">,
  outgoing: Outgoing,
  timeoutMs?: number,
): Promise<Received> {
  if (!isWebhookAddress(env, outgoing.url))
    throw new NotPublic("The address is not one that messages may be sent to.");
  const request = { ...outgoing, method: "POST" };
  const answer = await requestOutside(request, { publicOnly: env.production, places, timeoutMs });
  return { status: answer.status, answer: startOf(answer), headers: answer.headers };
}
