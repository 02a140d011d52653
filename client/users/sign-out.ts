import { type ActionFunctionArgs, redirectDocument } from "react-router";
import { ApiError } from "../api.ts";
import { apiContext } from "../context.ts";

/** Ends the sign-in. One that has ended already is no error. */
export async function signOut({ context }: ActionFunctionArgs): Promise<Response> {
  try {
    await context.get(apiContext).delete("/users/sign_out");
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  return redirectDocument("/users/sign_in");
}
