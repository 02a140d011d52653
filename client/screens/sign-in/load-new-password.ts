import { data, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { refusedBy } from "#client/ui/forms/refused.ts";

export type NewPasswordData = { refusal: string | null };

/** Checks whether the link of the mail is still valid. Checking does not use it up, because mail scanners open links too. */
export async function loadNewPassword({ context, request }: LoaderFunctionArgs) {
  const secret = new URL(request.url).searchParams.get("reset_password_token");
  try {
    await context.get(apiContext).get("/users/password/edit", { query: { resetPasswordToken: secret } });
    return data<NewPasswordData>({ refusal: null });
  } catch (error) {
    // The API has its own sentence for an address without a link.
    if (error instanceof ApiError && error.body?.code === "reset_token_missing")
      return data<NewPasswordData>({ refusal: error.message }, { status: error.status });
    const { refusal, status } = refusedBy(error);
    return data<NewPasswordData>({ refusal }, { status });
  }
}
