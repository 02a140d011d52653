import type { Deps } from "#src/base/deps.ts";
import { inSpan } from "#src/base/spans.ts";
import { HostBusy } from "#src/http/outside/host-places.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import { OUTSIDE_TIMEOUT_MS, TimedOut } from "#src/http/outside/request-outside.ts";
import { claimDelivery, type ClaimedDelivery, postponeDelivery } from "./claim-delivery.ts";
import { ID_HEADER, SIGNATURE_HEADER, TYPE_HEADER } from "./contract.ts";
import { type Failure, findFailure } from "./find-failure.ts";
import { postDelivery } from "./post-delivery.ts";
import { type Attempt, recordFailure, recordSuccess } from "./record-attempt.ts";
import { signBody } from "./sign-body.ts";
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
