import { invalid } from "#src/base/refusal.ts";

let loading: Promise<ReadonlySet<string>> | null = null;

/**
 * Refuses a new password that half the world has: 422. Letters' case does not make one rarer; nor does the own name or
 * address.
 * @param own what everybody knows about the user: email, username.
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

/** The list takes a moment and some memory, and is needed only where somebody chooses a password. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
