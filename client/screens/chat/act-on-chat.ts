import { type ActionFunctionArgs, data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { giveNameBack, type TakenName, takeName } from "#client/sign-ins/take-name.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { type FormOf, readForm } from "#client/ui/forms/read-form.ts";
import { refusedInForm } from "#client/ui/forms/refused-in-form.ts";

/** Why nothing was done, and the message that was typed. */
export type ChatRefusal = { refusal: string; body: string };

/** The name that was taken away a moment ago, which one click gives back. */
export type NameRemoved = { removed: TakenName };

/** The query after a player was muted: the page does not show a mute by itself. */
export const MUTED = "?done=mute";

const fields = {
  intent: "text",
  messageId: "text",
  userId: "number",
  username: "text",
  face: "number",
  minutes: "number",
  reason: "text",
  seconds: "number",
  body: "text",
  idempotencyKey: "text",
} as const;
type Sent = FormOf<typeof fields>;

/** Handles the forms of the Chat tab: send a message without JavaScript; for admins remove or approve a message, take a name away and give it back, mute, set slow mode. */
export async function actOnChat({ context, params, request }: ActionFunctionArgs) {
  const sent = readForm(await request.formData(), fields);
  const api = context.get(apiContext);
  try {
    if (sent.intent === "remove_name")
      return data<NameRemoved>({ removed: await takeName(api, sent.userId ?? 0) });
    await act(api, params["slug"] ?? "", sent);
  } catch (error) {
    const { status, refusal } = refusedInForm(error);
    return data<ChatRefusal>({ refusal, body: sent.body }, { status });
  }
  return seeOther(new URL(request.url).pathname + (sent.intent === "mute" ? MUTED : ""));
}

async function act(api: Api, slug: string, sent: Sent): Promise<unknown> {
  const { intent, messageId, userId, username, face, minutes, reason, seconds } = sent;
  switch (intent) {
    case "remove":
      return api.delete(`/api/v1/messages/${encodeURIComponent(messageId)}`);
    case "approve":
      return api.put(`/api/v1/messages/${encodeURIComponent(messageId)}/approve`);
    case "restore_name":
      return giveNameBack(api, { userId: userId ?? 0, username, face });
    case "mute":
      return api.post("/api/v1/mutes", { mute: { sessionId: slug, userId, minutes, reason } });
    case "slow_mode":
      return api.patch(sessionPath(slug), { session: { settings: { slowModeSeconds: seconds } } });
    default:
      return sendMessage(api, slug, sent);
  }
}

function sendMessage(api: Api, slug: string, { body, idempotencyKey: key }: Sent): Promise<unknown> {
  return api.post(
    "/api/v1/messages",
    { message: { sessionId: slug, body } },
    { headers: key === "" ? {} : { "idempotency-key": key } },
  );
}
