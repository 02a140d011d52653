import { type ActionFunctionArgs, data, redirect } from "react-router";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused.ts";
import { sessionPath } from "../sessions/load-session.ts";

/** Why nothing was done, and what was to be said. */
export type ChatRefusal = { refusal: string; body: string };

const SEE_OTHER = 303;

/** The forms of the Chat tab: to say something without script, and (admins) to remove, to mute, to slow down. */
export async function actOnChat({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  try {
    await act(context.get(apiContext), params["slug"] ?? "", form);
  } catch (error) {
    const { status, refusal } = refusedInForm(error);
    return data<ChatRefusal>({ refusal, body: textIn(form, "body") }, { status });
  }
  return redirect(new URL(request.url).pathname, SEE_OTHER);
}

async function act(api: Api, slug: string, form: FormData): Promise<void> {
  switch (textIn(form, "intent")) {
    case "remove":
      await api.delete(`/api/v1/messages/${encodeURIComponent(textIn(form, "message_id"))}`);
      return;
    case "mute":
      await api.post("/api/v1/mutes", {
        mute: {
          sessionId: slug,
          userId: numberIn(form, "user_id"),
          minutes: numberIn(form, "minutes"),
          reason: textIn(form, "reason"),
        },
      });
      return;
    case "slow_mode":
      await api.patch(sessionPath(slug), {
        session: { settings: { slowModeSeconds: numberIn(form, "seconds") } },
      });
      return;
    default:
      await say(api, slug, form);
  }
}

async function say(api: Api, slug: string, form: FormData): Promise<void> {
  const key = textIn(form, "idempotency_key");
  await api.post(
    "/api/v1/messages",
    { message: { sessionId: slug, body: textIn(form, "body") } },
    { headers: key === "" ? {} : { "idempotency-key": key } },
  );
}
