import type { ActionFunctionArgs } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** What can be done on the page, by the form's field `intent`. A share button has none: it makes a link. */
export type SharesIntent = "expire" | "revoke";

const fields = {
  intent: "text",
  kind: "text",
  targetId: "number",
  timeZone: "optional",
  id: "text",
  expiresInDays: "number",
} as const;

/** Makes, changes or revokes a link, and returns to the list. */
export async function actOnShares({ context, request }: ActionFunctionArgs) {
  const form = readForm(await request.formData(), fields);
  try {
    return seeOther(await actOn(context.get(apiContext), form));
  } catch (error) {
    return refuseForm<Refused>(error, {});
  }
}

type Sent = ReturnType<typeof readForm<typeof fields>>;

/** @returns the path to go to. */
async function actOn(api: Api, { intent, id, expiresInDays, ...wish }: Sent): Promise<string> {
  const path = `/api/v1/shares/${encodeURIComponent(id)}` as const;
  if (intent === ("revoke" satisfies SharesIntent)) {
    await api.delete(path);
    return "/shares";
  }
  if (intent === ("expire" satisfies SharesIntent)) {
    await api.patch(path, { share: { expiresInDays: expiresInDays ?? null } });
    return "/shares";
  }
  const { share } = await api.post("/api/v1/shares", { share: wish });
  return `/shares?made=${share.id}`;
}
