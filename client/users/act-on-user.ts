import { type ActionFunctionArgs, data, redirect } from "react-router";
import type { Api } from "../api.ts";
import { basedOn, isStale } from "../base-version.ts";
import { apiContext } from "../context.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

/** What was refused, and of which form. */
export type UserRefusal = Refused & {
  intent: string;
  amount: string;
  reason: string;
  reference: string;
};

const SEE_OTHER = 303;
const RELOADED = 200;

type Send = (api: Api, path: `/api/v1/users/${string}`, form: FormData) => Promise<unknown>;

/** The forms of a user's page by their `intent`. */
const forms: Record<string, Send> = {
  adjust: (api, path, form) =>
    api.post(
      `${path}/wallet/adjustments`,
      { adjustment: { amount: numberIn(form, "amount"), reason: textIn(form, "reason") } },
      { headers: { "idempotency-key": textIn(form, "key") } },
    ),
  refund: (api, _path, form) =>
    api.post(
      `/api/v1/payments/${encodeURIComponent(textIn(form, "reference"))}/refunds`,
      { refund: { amount: numberIn(form, "amount"), reason: textIn(form, "reason") } },
      { headers: { "idempotency-key": textIn(form, "key") } },
    ),
  unlock: (api, path, form) => api.put(`${path}/unlock`, undefined, basedOn(form)),
  deactivate: (api, path, form) =>
    api.put(`${path}/deactivate`, { user: { reason: textIn(form, "reason") } }, basedOn(form)),
  reactivate: (api, path, form) => api.put(`${path}/reactivate`, undefined, basedOn(form)),
  roles: (api, path, form) =>
    api.put(
      `${path}/roles`,
      { user: { roles: form.getAll("roles"), reason: textIn(form, "reason") } },
      basedOn(form),
    ),
};

/** Does what one of the page's forms asks, then shows the page again; a refusal is shown in its form. */
export async function actOnUser({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const intent = textIn(form, "intent");
  const send = forms[intent];
  if (send === undefined) throw data(null, { status: 400 });
  const api = context.get(apiContext);
  try {
    await send(api, `/api/v1/users/${encodeURIComponent(params["id"] ?? "")}`, form);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    const kept = {
      amount: textIn(form, "amount"),
      reason: textIn(form, "reason"),
      reference: textIn(form, "reference"),
    };
    if (!isStale(error)) return data<UserRefusal>({ ...refused, ...kept, intent }, { status });
    const refusal = "Somebody changed this user meanwhile. This is how it stands now.";
    // After a refusal the router would keep what it has loaded, and the page has to show what is there now.
    return data<UserRefusal>(
      { refusal, errors: {}, ...kept, intent },
      { status: api.inProcess ? status : RELOADED },
    );
  }
  return redirect(new URL(request.url).pathname, SEE_OTHER);
}
