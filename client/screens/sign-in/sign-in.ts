import { type ActionFunctionArgs, data, redirectDocument } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import type { Unreachable } from "#client/base/api/request-with-retry.ts";
import { apiContext } from "#client/base/page/context.ts";
import { safeReturnPath } from "#client/base/page/guard.ts";
import type { FieldErrors } from "#client/ui/field.tsx";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { troubleText } from "#client/ui/forms/refused-in-form.ts";
import { isTrouble } from "#client/ui/forms/refused.ts";

export type SignInRefusal = {
  error: string;
  /** What the user can do about it, if anything. */
  detail: string | null;
  code: string;
  email: string;
  errors: FieldErrors;
};

const UNAVAILABLE = 503;

/** Signs in with the form's email and password. A refusal is shown in the form. */
export async function signIn({ context, request }: ActionFunctionArgs, form: FormData) {
  const fields = { email: "text", password: "text", rememberMe: "checkbox", mergeGuest: "checkbox" } as const;
  const user = readForm(form, fields, inUser);
  const { email } = user;
  try {
    await context.get(apiContext).post("/users/sign_in", { user });
  } catch (error) {
    if (isTrouble(error)) return data<SignInRefusal>(unavailable(error, email), { status: UNAVAILABLE });
    if (!(error instanceof ApiError)) throw error;
    const { error: text = error.message, code = "", detail = null, errors = {} } = error.body ?? {};
    return data<SignInRefusal>({ error: text, detail, code, email, errors }, { status: error.status });
  }
  // A new document: the token, the viewer and all loaded data belong to another user now.
  return redirectDocument(safeReturnPath(new URL(request.url).searchParams.get("return_to")));
}

function unavailable(error: ApiError | Unreachable, email: string): SignInRefusal {
  return { error: troubleText(error), detail: null, code: "unavailable", email, errors: {} };
}
