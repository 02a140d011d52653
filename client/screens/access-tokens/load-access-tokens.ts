import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import type { AccessTokensAnswer } from "#src/people/access-tokens/schemas.ts";

/** The viewer's own access tokens. */
export function loadAccessTokens({ context, request }: LoaderFunctionArgs): Promise<AccessTokensAnswer> {
  return context.get(apiContext).get("/api/v1/users/me/access_tokens", { signal: request.signal });
}
