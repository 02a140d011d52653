import { type ActionFunctionArgs, data, redirect } from "react-router";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import { sessionPath } from "../sessions/load-session.ts";

/** Why nothing was done, and what was to be said. */
export type ChatRefusal = { refusal: string; body: string };

/** Of the address after somebody was muted. */
export const MUTED = "?done=mute";
const SEE_OTHER = 303;

/** The forms of the Chat tab: to say something without script, and (admins) to remove, to mute, to slow down. */
export async function actOnChat({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  let done = "";
  try {
    done = await act(context.get(apiContext), params["slug"] ?? "", form);
  } catch (error) {
    const { status, refusal } = refusedInForm(error);
    return data<ChatRefusal>({ refusal, body: textIn(form, "body") }, { status });
  }
  return redirect(new URL(request.url).pathname + done, SEE_OTHER);
}

/** @returns what the address says of it, where the page does not show it by itself. */
async function act(api: Api, slug: string, form: FormData): Promise<"" | typeof MUTED> {
  switch (textIn(form, "intent")) {
    case "remove":
      await api.delete(`/api/v1/messages/${encodeURIComponent(textIn(form, "message_id"))}`);
      return "";
    case "mute":
      await api.post("/api/v1/mutes", {
        mute: {
          sessionId: slug,
          userId: numberIn(form, "user_id"),
          minutes: numberIn(form, "minutes"),
          reason: textIn(form, "reason"),
        },
      });
      return MUTED;
    case "slow_mode":
      await api.patch(sessionPath(slug), {
        session: { settings: { slowModeSeconds: numberIn(form, "seconds") } },
      });
      return "";
    default:
      await say(api, slug, form);
      return "";
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
