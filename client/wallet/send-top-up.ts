import type { ActionArgs } from "#client/base/page/handle.ts";
import { topUpRefusals } from "#src/money/wallet/contract.ts";
import { safeReturnPath } from "#src/people/sign-ins/contract.ts";
import { ApiError } from "../base/api/api.ts";
import { pageContext } from "../base/page/context.ts";
import { seeOther } from "../ui/forms/answer-form.ts";
import { readForm } from "../ui/forms/read-form.ts";
import { TOP_UP_PARAM, type TopUpOutcome } from "./top-up.tsx";

/** Tops up the viewer's wallet and returns to the page with the form, which shows the outcome. */
export async function topUp({ api, context, request }: ActionArgs): Promise<Response> {
  const { viewer } = context.get(pageContext);
  const { returnTo } = readForm(await request.formData(), { returnTo: "text" });
  const path = `/api/v1/users/${viewer?.id ?? 0}/wallet/top_up` as const;
  const outcome = await api.post(path).then(() => "done" as const, outcomeOf);
  const [pathname] = safeReturnPath(returnTo).split("?");
  return seeOther(`${pathname}?${TOP_UP_PARAM}=${outcome}`);
}

function outcomeOf(error: unknown): TopUpOutcome {
  const code = error instanceof ApiError ? error.body?.code : undefined;
  const refused = topUpRefusals.find((known) => known === code);
  if (refused === undefined) throw error;
  return refused;
}
