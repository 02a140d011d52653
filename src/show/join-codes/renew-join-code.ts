import { sql } from "drizzle-orm";
import type { Deps } from "#src/base/deps.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { renewSecret } from "#src/show/sessions/renew-secret.ts";
import type { SessionCommand, SessionRow } from "#src/show/sessions/with-session.ts";
import { joinUrlOf } from "./join-url.ts";
import { noteKnownHere } from "./known-here.ts";
import type { JoinCodeAnswer } from "./schemas.ts";

/**
 * Makes a new join code for a session, and ends the one before. Those who have joined stay.
 * @throws Refusal 404 for an unknown session.
 */
export function renewJoinCode(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return renewSecret(deps, command, newJoinCode);
}

/** What is renewed. */
export const newJoinCode = {
  columns: { joinCode: sql`new_join_code()` },
  action: "renew_join_code",
} as const;

/** Shows a host the code of a session, which from then on is known at the host's address: the host is where the show is. */
export async function showJoinCode(
  deps: Pick<Deps, "env" | "redis" | "log">,
  { joinCode: code }: Pick<SessionRow, "joinCode">,
  { address }: Pick<Authentication, "address">,
): Promise<JoinCodeAnswer> {
  await noteKnownHere(deps, address, code);
  return { joinCode: { code, url: joinUrlOf(deps.env, code) } };
}
