import { randomUUID } from "node:crypto";
import type { Deps } from "#src/base/deps.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { requestOutside, startOf } from "#src/http/outside/request-outside.ts";
import { writeLetter } from "#src/mail/letter.ts";
import { sendLetter, senderOf } from "#src/mail/send-letter.ts";
import type { Env } from "#src/settings/env.ts";
import { isWebAddress } from "#src/settings/value-schemas.ts";

// Decision: an alert is sent by the process that writes it, at once, and neither by a queue nor by the database: they may be what is wrong.
// A webhook gets `text` and `content`, of which Slack, Mattermost, Discord and most others read one.

export type Alert = { subject: string; paragraphs: readonly string[] };
type AlertEnv = Pick<Env, "alertsTo" | "smtpUrl" | "mailFrom" | "publicUrl">;

/** Discord takes 2,000 letters. */
const TEXT_LENGTH_MAX = 1_900;
const MAIL_TIMEOUT_MS = 20_000;
/** Before each attempt. */
const PAUSES_MS = [0, 2_000, 15_000, 60_000, 300_000];

/** Which address it is, in a log: what stands after the host of a webhook is its secret. */
export const nameOf = (address: string) => (isWebAddress(address) ? new URL(address).host : address);

/** Sends an alert to one address. Rejects with the reason, which has no secret. */
export async function sendAlert(env: AlertEnv, address: string, alert: Alert): Promise<void> {
  const [subject = "", ...paragraphs] = [alert.subject, ...alert.paragraphs].map(hideValues);
  const link = { label: "Open /admin", url: `${env.publicUrl}/admin` };
  if (isWebAddress(address)) return postText(address, [subject, ...paragraphs, link.url].join("\n"));
  if (env.smtpUrl === null) throw new Error("SMTP_URL is not set, so no mail can be sent. Set it.");
  const letter = writeLetter({ to: address, subject, paragraphs, link });
  const how = { smtpUrl: env.smtpUrl, from: senderOf(env), timeoutMs: MAIL_TIMEOUT_MS };
  return sendLetter(letter, { ...how, id: `alert-${randomUUID()}` });
}

async function postText(url: string, whole: string): Promise<void> {
  const text = whole.slice(0, TEXT_LENGTH_MAX);
  const headers = { "content-type": "application/json" };
  const request = { url, method: "POST", headers, body: JSON.stringify({ text, content: text }) };
  const answer = await requestOutside(request, { publicOnly: false });
  if (answer.status >= 300) throw new Error(`It answers ${answer.status}. ${startOf(answer)}`.trim());
}

/** Sends an alert to all addresses, and again for some minutes to those that do not take it. It waits for nothing. */
export function sendToAll({ env, log }: Pick<Deps, "env" | "log">, alert: Alert): void {
  for (const address of env.alertsTo) void sendUntilTaken(address);

  async function sendUntilTaken(address: string): Promise<void> {
    const to = nameOf(address);
    for (const pauseMs of PAUSES_MS) {
      await Bun.sleep(pauseMs);
      try {
        await sendAlert(env, address, alert);
        return log.info({ to, alert: alert.subject }, "operators were told");
      } catch (error) {
        log.error({ err: error, to, alert: alert.subject }, "an alert could not be sent");
      }
    }
  }
}
