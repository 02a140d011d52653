import { type ActionFunctionArgs, data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { rowIdIn } from "#client/base/page/row-id.ts";
import type { FieldErrors } from "#client/ui/field.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { ifMatchHeaders, isStale } from "#client/ui/forms/base-version.ts";
import { type FormOf, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { typedDollars } from "#client/ui/money/typed-dollars.ts";
import { PAYMENT_MAX } from "#src/money/payments/contract.ts";
import { ADJUSTMENT_MAX } from "#src/money/wallet/contract.ts";

/** What the forms show again after a refusal. */
const typedFields = {
  amount: "text",
  reason: "text",
  reference: "text",
  username: "text",
  phone: "text",
  account: "text",
} as const;
/** The refusal, which form it belongs to, and the typed values. */
export type UserRefusal = Refused & { intent: string } & FormOf<typeof typedFields>;

const RELOADED = 200;

const fields = { ...typedFields, key: "text", roles: "list", callId: "text" } as const;
const adjustment = { min: -ADJUSTMENT_MAX, max: ADJUSTMENT_MAX };
/** How much of a payment is left is known to the API. */
const refund = { min: 0.01, max: PAYMENT_MAX };
type Sent = FormOf<typeof fields> & { version: ReturnType<typeof ifMatchHeaders> };
type Send = (api: Api, path: `/api/v1/users/${string}`, sent: Sent) => Promise<unknown>;

/** The forms of a user's page by their `intent`. */
const forms: Record<string, Send> = {
  details: (api, path, { username, phone, version }) =>
    api.patch(path, { user: { username, phone } }, version),
  destroy_call: (api, _path, { callId, reason }) =>
    api.delete(`/api/v1/calls/${encodeURIComponent(callId)}`, { query: { reason } }),
  adjust: async (api, path, { amount, reason, key }) =>
    api.post(
      `${path}/wallet/adjustments`,
      { adjustment: { amount: typedDollars(amount, adjustment, reasonErrors(reason)), reason } },
      { headers: { "idempotency-key": key } },
    ),
  refund: async (api, _path, { reference, amount, reason, key }) =>
    api.post(
      `/api/v1/payments/${encodeURIComponent(reference)}/refunds`,
      { refund: { amount: typedDollars(amount, refund, reasonErrors(reason)), reason } },
      { headers: { "idempotency-key": key } },
    ),
  unlock: (api, path, { version }) => api.put(`${path}/unlock`, undefined, version),
  deactivate: (api, path, { reason, version }) =>
    api.put(`${path}/deactivate`, { user: { reason } }, version),
  remove_name: (api, path, { version }) => api.put(`${path}/remove_name`, undefined, version),
  merge: (api, path, { account, reason, version }) =>
    api.put(`${path}/merge`, { user: { account, reason } }, version),
  reactivate: (api, path, { version }) => api.put(`${path}/reactivate`, undefined, version),
  roles: (api, path, { roles, reason, version }) =>
    api.put(`${path}/roles`, { user: { roles, reason } }, version),
};

/** Does what one of the page's forms asks for, then shows the page again. A refusal is shown in its form. */
export async function actOnUser({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const { intent } = readForm(form, { intent: "text" });
  const send = forms[intent];
  if (send === undefined) throw data(null, { status: 400 });
  const api = context.get(apiContext);
  const sent = { ...readForm(form, fields), version: ifMatchHeaders(form) };
  try {
    await send(api, `/api/v1/users/${rowIdIn(params["id"])}`, sent);
  } catch (error) {
    const answer = refuseForm<UserRefusal>(error, { ...readForm(form, typedFields), intent });
    if (!isStale(error)) return answer;
    const refusal = "Somebody changed this user meanwhile. This is how it is now.";
    // After an error status the router keeps the data it has loaded, but the page has to show the newer user.
    const status = api.inProcess ? answer.init?.status : RELOADED;
    return data<UserRefusal>({ ...answer.data, refusal, errors: {} }, status === undefined ? {} : { status });
  }
  return seeOther(new URL(request.url).pathname);
}

/** An amount that is refused before anything is sent is refused together with the reason. */
function reasonErrors(reason: string): FieldErrors {
  return reason.trim() === "" ? { reason: ["can't be blank"] } : {};
}
