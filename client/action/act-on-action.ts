import { type ActionFunctionArgs, data } from "react-router";
import { seeOther } from "../answer-form.ts";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { readMoney } from "../money/typed-money.ts";
import { type FormOf, readForm } from "../read-form.ts";
import { FormRefusal, type Refused, refusedBy } from "../refused.ts";
import * as texts from "./action-texts.ts";
import { typedWagerFault } from "./wager-fault.ts";

export type ActionRefusal = {
  refusal: string;
  /** The amount as it was typed, and what is wrong with it; null if it is not the amount. */
  wager: { typed: string; error: string | null };
};

const CENTS = 100;

const fields = { cancel: "text", spotId: "number", wager: "text", idempotencyKey: "text" } as const;
type Sent = FormOf<typeof fields>;

/** Handles the forms of the Action screen when there is no script: places a call or cancels one, then shows the page again. */
export async function actOnAction({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const sent = readForm(form, fields);
  const api = context.get(apiContext);
  try {
    if (sent.cancel === "") await placeCall(api, sent, form.has("wager"));
    else await api.delete(`/api/v1/calls/${encodeURIComponent(sent.cancel)}`);
  } catch (error) {
    const { status, ...refused } = refusedBy(error);
    const wager = { typed: sent.wager, error: wagerErrorOf(refused) };
    return data<ActionRefusal>({ refusal: refused.refusal, wager }, { status });
  }
  return seeOther(new URL(request.url).pathname);
}

/** @param hasWager false: the amount is the API's default. */
async function placeCall(api: Api, { spotId, wager, idempotencyKey }: Sent, hasWager: boolean) {
  await api.post(
    "/api/v1/calls",
    { call: { spotId, ...(hasWager ? { wager: wagerIn(wager) } : {}) } },
    { headers: { "idempotency-key": idempotencyKey } },
  );
}

/** @returns dollars. */
function wagerIn(typed: string): number {
  const amount = readMoney(typed);
  const fault = typedWagerFault(amount);
  if (fault !== null || typeof amount !== "number") throw new FormRefusal(fault ?? "", { wager: [] });
  return amount / CENTS;
}

function wagerErrorOf({ refusal, errors: { wager, wallet } }: Refused): string | null {
  const [problem] = wager ?? [];
  if (problem !== undefined) return texts.wagerRefused(problem);
  return wager === undefined && wallet === undefined ? null : refusal;
}
