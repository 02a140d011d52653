import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";

/** The viewer's own profile. */
export async function loadProfile({ context, request }: LoaderFunctionArgs): Promise<ProfileAnswer> {
  return context.get(apiContext).get("/api/v1/users/me", { signal: request.signal });
}
