import type { TokenScope } from "#db/lists/access-tokens.ts";
import { labelsOf } from "#src/base/contract.ts";

export const ACCESS_TOKENS_MAX = 20;
export const TOKEN_NAME_LENGTH_MAX = 40;
export const VALID_DAYS_DEFAULT = 90;
export const VALID_DAYS_MAX = 366;

export const scopeLabel = labelsOf<TokenScope>({
  read: "Read",
  run: "Run shows",
  dock: "Dock",
});
