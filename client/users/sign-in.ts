import { type ActionFunctionArgs, data, redirectDocument } from "react-router";
import type { FieldErrors } from "../ui/field.tsx";
import { ApiError } from "../api.ts";
import { apiContext } from "../context.ts";
import { safeReturnPath } from "../guard.ts";

export type SignInRefusal = { error: string; email: string; errors: FieldErrors };

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
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const errors = error.body?.errors ?? {};
    const refusal: SignInRefusal = { error: error.body?.error ?? error.message, email, errors };
    return data(refusal, { status: error.status });
  }
  // A whole new page: the token, the viewer and everything loaded belong to somebody else now.
  return redirectDocument(safeReturnPath(new URL(request.url).searchParams.get("return_to")));
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
