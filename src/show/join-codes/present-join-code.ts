import type { Env } from "#src/settings/env.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import type { JoinCodeAnswer } from "./schemas.ts";

/** The address that leads to the session of a code; QR codes hold it. */
export function joinUrlOf({ publicUrl }: Pick<Env, "publicUrl">, code: string): string {
  return `${publicUrl}/join?code=${code}`;
}

/** The join code of a session, as hosts read it. */
export function presentJoinCode(
  env: Pick<Env, "publicUrl">,
  { joinCode: code }: Pick<SessionRow, "joinCode">,
): JoinCodeAnswer {
  return { joinCode: { code, url: joinUrlOf(env, code) } };
}
