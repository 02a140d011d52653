import * as v from "valibot";
import { programScopes, tokenScopes } from "#db/lists/access-tokens.ts";
import { moment, rowId, textLine, wholeNumber } from "#src/http/schemas.ts";
import { proofFields } from "#src/people/passkeys/schemas.ts";
import { TOKEN_NAME_LENGTH_MAX, VALID_DAYS_DEFAULT, VALID_DAYS_MAX } from "./contract.ts";

export const accessTokenSchema = v.object({
  id: rowId,
  name: v.string(),
  scope: v.picklist(tokenScopes),
  /** The last letters of the secret. */
  hint: v.string(),
  createdAt: moment,
  expiresAt: moment,
  lastUsedAt: v.nullable(moment),
});
export type AccessTokenView = v.InferOutput<typeof accessTokenSchema>;

/** `confirmed`: this sign-in was confirmed by a passkey. `fresh`: in the last 10 minutes, so a new token needs no proof. */
export const accessTokensAnswer = v.object({
  accessTokens: v.array(accessTokenSchema),
  confirmed: v.boolean(),
  fresh: v.boolean(),
});
export type AccessTokensAnswer = v.InferOutput<typeof accessTokensAnswer>;

/** `secret` is in this answer and in no other. */
export const newAccessTokenAnswer = v.object({ accessToken: accessTokenSchema, secret: v.string() });
export type NewAccessTokenAnswer = v.InferOutput<typeof newAccessTokenAnswer>;

export const newAccessTokenBody = v.strictObject({
  name: textLine(TOKEN_NAME_LENGTH_MAX),
  scope: v.optional(v.picklist(programScopes), "read"),
  validDays: v.optional(wholeNumber(1, VALID_DAYS_MAX), VALID_DAYS_DEFAULT),
  ...proofFields,
});
export type NewAccessTokenBody = v.InferOutput<typeof newAccessTokenBody>;
