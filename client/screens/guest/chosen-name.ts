import { GUEST_PREFIX } from "#src/people/users/contract.ts";

/** The name that a guest has chosen; empty for a generated one, which no account may have. */
export function chosenName({ username }: { username: string }): string {
  return username.startsWith(GUEST_PREFIX) ? "" : username;
}
