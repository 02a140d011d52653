import { type ActionFunctionArgs, data } from "react-router";
import { seeOther } from "../answer-form.ts";
import { apiContext } from "../context.ts";
import { readForm } from "../read-form.ts";
import { refusedBy } from "../refused.ts";

export type ActionRefusal = { refusal: string };

const fields = { cancel: "text", spotId: "number", wager: "number", idempotencyKey: "text" } as const;

/** Handles the forms of the Action screen when there is no script: places a call or cancels one, then shows the page again. */
export async function actOnAction({ context, request }: ActionFunctionArgs) {
  const { cancel, spotId, wager, idempotencyKey } = readForm(await request.formData(), fields);
  const api = context.get(apiContext);
  try {
    if (cancel === "") {
      await api.post(
        "/api/v1/calls",
        { call: { spotId, wager } },
        { headers: { "idempotency-key": idempotencyKey } },
      );
    } else {
      await api.delete(`/api/v1/calls/${encodeURIComponent(cancel)}`);
    }
  } catch (error) {
    const { status, refusal } = refusedBy(error);
    return data<ActionRefusal>({ refusal }, { status });
  }
  return seeOther(new URL(request.url).pathname);
}
