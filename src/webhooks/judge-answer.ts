import * as v from "valibot";
import type { WebhookFormat } from "#db/lists/webhooks.ts";
import type { Failure } from "#src/base/due-rows.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import {
  OUTSIDE_TIMEOUT_MS,
  type OutsideAnswer,
  retryAfterOf,
  TimedOut,
} from "#src/http/outside/request-outside.ts";

/** What a receiver has answered, and the start of its text. */
export type Received = { status: number; answer: string; headers: OutsideAnswer["headers"] };

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

export function describeNoAnswer(error: unknown): string {
  if (error instanceof NotPublic) return "The address leads into a private network.";
  if (error instanceof TimedOut) return `There was no answer within ${OUTSIDE_TIMEOUT_MS / 1_000} s.`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return causes[code] ?? "It cannot be reached.";
}

/** What is wrong at Slack, by the text of its answer: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. */
const REMOVED =
  "Slack has removed this webhook or switched it off. Make another one in Slack and enter its address.";
const slackCauses: Readonly<Record<string, string>> = {
  no_service: REMOVED,
  no_active_hooks: REMOVED,
  no_service_id: "The address is not complete. Copy it from Slack again.",
  no_team: "Slack does not know this workspace. Copy the address from Slack again.",
  team_disabled: "This workspace of Slack is closed.",
  invalid_token: "The address is not right. Copy it from Slack again.",
  channel_not_found: "The channel does not exist any more. Make a webhook for another one in Slack.",
  channel_is_archived: "The channel is archived. Make a webhook for another one in Slack.",
  action_prohibited: "An admin of the workspace does not let webhooks post here.",
  posting_to_general_channel_denied: "An admin of the workspace does not let webhooks post to this channel.",
};

/** Why a message has not arrived; null if it has. A chat that refuses one would refuse it again; another program may be repaired. */
export function findFailure(format: WebhookFormat, received: Received): Failure | null {
  const { status } = received;
  if (status >= 200 && status < 300) return null;
  const afterSeconds = putsOff.includes(status) ? readDelay(received) : null;
  if (afterSeconds !== null) {
    const error = `It answered ${status}: it takes no more at the moment, and has said when it does.`;
    return { error, retry: { afterSeconds } };
  }
  const isRefusal = status >= 400 && status < 500 && !passing.includes(status);
  const retry = format !== "json" && isRefusal ? "never" : "as planned";
  return { error: describe(format, received), retry };
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
  const said = [headers["x-ratelimit-reset-after"], readDiscord(answer)?.retry_after].map(Number);
  const seconds = said.find((each) => each > 0) ?? retryAfterOf({ headers }, Date.now());
  return seconds === null ? null : Math.min(Math.ceil(seconds), AFTER_MAX_S);
}

function readDiscord(answer: string): v.InferOutput<typeof discordAnswer> | null {
  const read = v.safeParse(discordAnswer, answer);
  return read.success ? read.output : null;
}
