import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import type { NewAccessTokenAnswer } from "#src/people/access-tokens/schemas.ts";

const PATH = "/api/v1/users/me/access_tokens";
const fields = { intent: "text", id: "text", name: "text", scope: "text", validDays: "number" } as const;

/** A refusal, and what was typed. */
export type TokensRefusal = Refused & { name: string; scope: string; validDays: string };
/** What the page shows after a form: the token that was made, or a refusal. */
export type TokensOutcome = NewAccessTokenAnswer | TokensRefusal;

/** Makes or revokes an access token. The new secret is in this answer only, so the page is not loaded again. */
export async function actOnAccessTokens({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const { intent, id, name, scope, validDays } = readForm(form, fields);
  const { currentPassword } = readForm(form, { currentPassword: "text" }, inUser);
  const api = context.get(apiContext);
  try {
    if (intent === "revoke") {
      await api.delete(`${PATH}/${encodeURIComponent(id)}`);
      return seeOther("/profile/tokens?done=revoked");
    }
    if (intent !== "make") throw data(null, { status: 400 });
    return data<TokensOutcome>(
      await api.post(PATH, { accessToken: { name, scope, validDays, currentPassword } }),
    );
  } catch (error) {
    return refuseForm<TokensRefusal>(error, { name, scope, validDays: String(validDays ?? "") });
  }
}
