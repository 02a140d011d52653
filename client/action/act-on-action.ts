import { type ActionFunctionArgs, data, redirect } from "react-router";
import { ApiError } from "../api.ts";
import { apiContext } from "../context.ts";

export type ActionRefusal = { refusal: string };

const SEE_OTHER = 303;

/** The forms of the Action screen as they are sent without script: place a call, or take one back. Then the page again. */
export async function actOnAction({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext);
  const cancelled = textIn(form, "cancel");
  try {
    if (cancelled === "") {
      const wager = textIn(form, "wager");
      await api.post(
        "/api/v1/calls",
        {
          call: { spotId: Number(textIn(form, "spot_id")), wager: wager === "" ? undefined : Number(wager) },
        },
        { headers: { "idempotency-key": textIn(form, "idempotency_key") } },
      );
    } else {
      await api.delete(`/api/v1/calls/${encodeURIComponent(cancelled)}`);
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) throw error;
    return data<ActionRefusal>({ refusal: refusalText(error) }, { status: error.status });
  }
  return redirect(new URL(request.url).pathname, SEE_OTHER);
}

/** The sentence for people where there is one, else what the API says. */
export function refusalText({ body, message }: ApiError): string {
  return body?.detail ?? sentences[body?.code ?? ""] ?? message;
}

const sentences: Record<string, string> = {
  insufficient_balance: "Your available balance does not cover this wager.",
};

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
