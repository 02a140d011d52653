import { type ActionFunctionArgs, data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import type { WebhookSecretAnswer } from "#src/webhooks/schemas.ts";

const fields = {
  intent: "text",
  id: "text",
  deliveryId: "text",
  name: "text",
  url: "text",
  format: "optional",
  sessions: "optional",
} as const;
type Sent = ReturnType<typeof readForm<typeof fields>>;

/** A refusal, which form it belongs to, and what was typed. */
export type WebhooksRefusal = Refused & Pick<Sent, "intent" | "id" | "name" | "url" | "format" | "sessions">;
/** What the page shows after a form: a new secret, or a refusal. */
export type WebhooksOutcome = WebhookSecretAnswer | WebhooksRefusal;

/** What the page says afterwards, by intent. */
const doneBy: Readonly<Record<string, string>> = {
  ping: "tested",
  resend: "resent",
  change: "changed",
  on: "changed",
  off: "changed",
  remove: "removed",
};

/** Does what one of the page's forms asks for. A new secret is in this answer only. */
export async function actOnWebhooks({ context, request }: ActionFunctionArgs) {
  const sent = readForm(await request.formData(), fields);
  const { intent, id, name, url, format, sessions } = sent;
  try {
    const secret = await actOn(context.get(apiContext), sent);
    if (secret !== null) return data<WebhooksOutcome>(secret);
    const shown = intent === "remove" ? "" : `webhook=${encodeURIComponent(id)}&`;
    return seeOther(`/admin/webhooks?${shown}done=${doneBy[intent] ?? ""}`);
  } catch (error) {
    return refuseForm<WebhooksRefusal>(error, { intent, id, name, url, format, sessions });
  }
}

/** @returns the new secret, if there is one. */
async function actOn(
  api: Api,
  { intent, id, deliveryId, sessions = "", ...terms }: Sent,
): Promise<WebhookSecretAnswer | null> {
  const webhook = {
    ...terms,
    sessions: sessions
      .split(",")
      .map((slug) => slug.trim())
      .filter(Boolean),
  };
  const path = `/api/v1/webhooks/${encodeURIComponent(id)}` as const;
  if (intent === "add") return api.post("/api/v1/webhooks", { webhook });
  if (intent === "rotate") return api.put(`${path}/secret`);
  if (intent === "change") await api.patch(path, { webhook });
  else if (intent === "on" || intent === "off")
    await api.patch(path, { webhook: { enabled: intent === "on" } });
  else if (intent === "ping") await api.post(`${path}/ping`);
  else if (intent === "resend")
    await api.put(`/api/v1/webhook_deliveries/${encodeURIComponent(deliveryId)}/resend`);
  else if (intent === "remove") await api.delete(path);
  else throw data(null, { status: 400 });
  return null;
}
