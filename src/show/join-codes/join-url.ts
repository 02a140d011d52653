import type { Env } from "#src/settings/env.ts";

/** The address that leads to the session of a code; QR codes hold it. */
export function joinUrlOf({ publicUrl }: Pick<Env, "publicUrl">, code: string): string {
  return `${publicUrl}/join?code=${code}`;
}
