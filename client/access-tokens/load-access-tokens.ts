import type { LoaderFunctionArgs } from "react-router";
import type { AccessTokensAnswer } from "#src/access-tokens/schemas.ts";
import { apiContext } from "../context.ts";

/** The viewer's own access tokens. */
export function loadAccessTokens({ context, request }: LoaderFunctionArgs): Promise<AccessTokensAnswer> {
  return context.get(apiContext).get("/api/v1/users/me/access_tokens", { signal: request.signal });
}
