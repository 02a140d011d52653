import type { LoaderFunctionArgs } from "react-router";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import { apiContext } from "../context.ts";

/** The viewer's own profile. */
export async function loadProfile({ context, request }: LoaderFunctionArgs): Promise<ProfileAnswer> {
  return context.get(apiContext).get("/api/v1/users/me", { signal: request.signal });
}
