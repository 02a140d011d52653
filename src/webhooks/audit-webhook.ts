import type { Transaction } from "#db/client.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { WebhookRow } from "./find-webhook.ts";

/** What an admin did with a webhook. The address may have a secret of the receiver in it, so the entry names its host only. */
type WebhookDeed = {
  actor: Actor;
  action: string;
  webhookId: number;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/** Writes the audit entry of a change of a webhook, in its transaction. */
export async function auditWebhook(
  tx: Transaction,
  { actor, action, webhookId, before = {}, after = {} }: WebhookDeed,
): Promise<void> {
  const subject = { type: "webhook", id: webhookId } as const;
  await writeAudit(tx, { actor, action, subject, sessionId: null, before, after });
}

/** The values of a webhook for an audit entry. */
export function auditedValues(
  row: Pick<WebhookRow, "name" | "url" | "format" | "sessionIds" | "disabledAt">,
) {
  return {
    name: row.name,
    host: new URL(row.url).host,
    format: row.format,
    ...(row.sessionIds.length > 0 && { sessions: row.sessionIds }),
    enabled: row.disabledAt === null,
  };
}
