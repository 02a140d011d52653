import type { Deps } from "#src/base/deps.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { joinUrlOf } from "./join-url.ts";
import { noteKnownHere } from "./known-here.ts";
import type { JoinCodeAnswer } from "./schemas.ts";

/** Shows a host the code of a session, which from then on is known at the host's address: the host is where the show is. */
export async function showJoinCode(
  deps: Pick<Deps, "env" | "redis" | "log">,
  { joinCode: code }: Pick<SessionRow, "joinCode">,
  { address }: Pick<Authentication, "address">,
): Promise<JoinCodeAnswer> {
  await noteKnownHere(deps, address, code);
  return { joinCode: { code, url: joinUrlOf(deps.env, code) } };
}
