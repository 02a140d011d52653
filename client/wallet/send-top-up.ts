import { type ActionFunctionArgs, redirect } from "react-router";
import { topUpRefusals } from "#src/wallet/contract.ts";
import { ApiError } from "../api.ts";
import { apiContext, pageContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { safeReturnPath } from "../guard.ts";

/** In the address of the page that asked: what became of it. */
export const TOP_UP_PARAM = "top_up";
/** What may stand there: that it was done, or the code of a refusal. */
export const topUpOutcomes = ["done", ...topUpRefusals] as const;
type TopUpOutcome = (typeof topUpOutcomes)[number];

const SEE_OTHER = 303;

/** Tops the viewer's wallet up and leads back to the page that asked, which says what became of it. */
export async function topUp({ context, request }: ActionFunctionArgs): Promise<Response> {
  const { viewer } = context.get(pageContext);
  const form = await request.formData();
  const path = `/api/v1/users/${viewer?.id ?? 0}/wallet/top_up` as const;
  const outcome = await context
    .get(apiContext)
    .post(path)
    .then(() => "done" as const, outcomeOf);
  const [pathname] = safeReturnPath(textIn(form, "return_to")).split("?");
  return redirect(`${pathname}?${TOP_UP_PARAM}=${outcome}`, SEE_OTHER);
}

function outcomeOf(error: unknown): TopUpOutcome {
  const code = error instanceof ApiError ? error.body?.code : undefined;
  const refused = topUpRefusals.find((known) => known === code);
  if (refused === undefined) throw error;
  return refused;
}
