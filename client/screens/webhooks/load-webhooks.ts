import type { LoaderFunctionArgs } from "react-router";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { DeliveriesAnswer, WebhookView } from "#src/webhooks/schemas.ts";

const SHOWN_MAX = 10;

export type WebhooksData = {
  webhooks: WebhookView[];
  /** The webhook whose log is shown, and a page of it; null if there is no webhook. */
  shown: { webhook: WebhookView; log: DeliveriesAnswer } | null;
};

/** All webhooks, and the log of one: `?webhook=3&page=2`, by default of the first. */
export async function loadWebhooks({ context, request }: LoaderFunctionArgs): Promise<WebhooksData> {
  const api = context.get(apiContext);
  const { signal } = request;
  const search = new URL(request.url).searchParams;
  const { webhooks } = await api.get("/api/v1/webhooks", { signal });
  const webhook = webhooks.find(({ id }) => String(id) === search.get("webhook")) ?? webhooks[0];
  if (webhook === undefined) return { webhooks, shown: null };
  const query = { page: pageIn(search), perPage: SHOWN_MAX };
  const log = await api.get(`/api/v1/webhooks/${encodeURIComponent(webhook.id)}/deliveries`, {
    query,
    signal,
  });
  return { webhooks, shown: { webhook, log } };
}
