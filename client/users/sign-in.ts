import { type ActionFunctionArgs, data, redirectDocument } from "react-router";
import { ApiError } from "../api.ts";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { safeReturnPath } from "../guard.ts";
import type { Unreachable } from "../reach.ts";
import { troubleText } from "../refused-in-form.ts";
import { isTrouble } from "../refused.ts";
import type { FieldErrors } from "../ui/field.tsx";

export type SignInRefusal = {
  error: string;
  /** What to do about it, where there is something. */
  detail: string | null;
  code: string;
  email: string;
  errors: FieldErrors;
};

const UNAVAILABLE = 503;

/** Signs in with the form's email and password; a refusal is shown in the form. */
export async function signIn({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const email = textIn(form, "user[email]");
  try {
    await context.get(apiContext).post("/users/sign_in", {
      user: {
        email,
        password: textIn(form, "user[password]"),
        rememberMe: textIn(form, "user[remember_me]") === "1",
      },
    });
  } catch (error) {
    if (isTrouble(error)) return data<SignInRefusal>(inTrouble(error, email), { status: UNAVAILABLE });
    if (!(error instanceof ApiError)) throw error;
    const { error: said = error.message, code = "", detail = null, errors = {} } = error.body ?? {};
    return data<SignInRefusal>({ error: said, detail, code, email, errors }, { status: error.status });
  }
  // A whole new page: the token, the viewer and everything loaded belong to somebody else now.
  return redirectDocument(safeReturnPath(new URL(request.url).searchParams.get("return_to")));
}

function inTrouble(error: ApiError | Unreachable, email: string): SignInRefusal {
  return { error: troubleText(error), detail: null, code: "unavailable", email, errors: {} };
}
