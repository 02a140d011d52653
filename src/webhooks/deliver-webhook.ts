import type { Deps } from "#src/base/deps.ts";
import { inSpan } from "#src/base/spans.ts";
import { HostBusy } from "#src/http/outside/host-places.ts";
import { type ClaimedDelivery, claimDelivery, postponeDelivery } from "./claim-delivery.ts";
import { ID_HEADER, SIGNATURE_HEADER, TYPE_HEADER } from "./contract.ts";
import { describeNoAnswer } from "./describe-failure.ts";
import { type Failure, findFailure } from "./find-failure.ts";
import { postDelivery } from "./post-delivery.ts";
import { type Attempt, recordFailure, recordSuccess } from "./record-attempt.ts";
import { signBody } from "./sign-body.ts";
import { writeBody } from "./write-body.ts";

type WebhookDeps = Pick<Deps, "env" | "pool" | "queues" | "log" | "notifyRelay">;

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
