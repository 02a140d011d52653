import { data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { pageContext } from "#client/base/page/context.ts";
import type { ActionArgs } from "#client/base/page/handle.ts";
import type { ActionRefusal } from "#client/events/use-wager.ts";
import { typedWagerFault } from "#client/events/wager-fault.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { type FormOf, readForm } from "#client/ui/forms/read-form.ts";
import { FormRefusal, type Refused, refusedBy } from "#client/ui/forms/refused.ts";
import { readMoney } from "#client/ui/money/typed-money.ts";
import { WAGER_COOKIE } from "#src/http/contract.ts";

const CENTS = 100;
const KEPT_FOR_S = 43_200;

const fields = {
  cancel: "text",
  spotId: "number",
  wager: "text",
  idempotencyKey: "text",
  onTheHouse: "checkbox",
} as const;
type Sent = FormOf<typeof fields>;

/**
 * Handles the forms of the Action screen when there is no script: places a call or cancels one, then shows the page again. The browser
 * keeps the amount, so that it stays on every way back.
 */
export async function actOnAction({ api, context, request, url }: ActionArgs) {
  const { pathname } = url;
  const form = await request.formData();
  const sent = readForm(form, fields);
  try {
    if (sent.cancel === "") await placeCall(api, sent, form.has("wager"));
    else await api.delete(`/api/v1/calls/${encodeURIComponent(sent.cancel)}`);
  } catch (error) {
    const { status, ...refused } = refusedBy(error);
    const wager = { typed: sent.wager, error: wagerErrorOf(refused) };
    return data<ActionRefusal>({ refusal: refused.refusal, wager }, { status });
  }
  const cents = readMoney(sent.wager);
  if (sent.cancel !== "" || typeof cents !== "number") return seeOther(pathname);
  const kept = `${WAGER_COOKIE}=${context.get(pageContext).viewer?.id ?? 0}-${cents}`;
  return seeOther(pathname, {
    "set-cookie": `${kept}; Path=/; Max-Age=${KEPT_FOR_S}; HttpOnly; SameSite=Lax`,
  });
}

/** @param hasWager false: the amount is the API's default. */
async function placeCall(api: Api, { spotId, wager, idempotencyKey, onTheHouse }: Sent, hasWager: boolean) {
  await api.post(
    "/api/v1/calls",
    {
      call: {
        spotId,
        ...(hasWager ? { wager: wagerIn(wager) } : {}),
        ...(onTheHouse ? { onTheHouse } : {}),
      },
    },
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
  if (problem !== undefined) return `The wager ${problem}.`;
  return wager === undefined && wallet === undefined ? null : refusal;
}
