import { invalid } from "#src/base/refusal.ts";

let loading: Promise<ReadonlySet<string>> | null = null;

/**
 * Refuses a common password, in upper or lower case, and the user's own email or username: 422.
 * @param own the user's email and username.
 */
export async function refuseCommonPassword(
  password: string,
  own: readonly (string | null)[] = [],
): Promise<void> {
  loading ??= loadCommonPasswords();
  const guess = password.toLowerCase();
  const isOwn = own.some((text) => text !== null && text.toLowerCase() === guess);
  if (isOwn || (await loading).has(guess)) throw invalid({ password: ["is too easily guessed"] });
}

/** Loads the list on first use, because it takes time and memory. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
