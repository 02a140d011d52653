import * as v from "valibot";
import type { Deps } from "#src/deps.ts";
import type { Viewer } from "#src/users/viewer.ts";
import { catchUp } from "./catch-up.ts";
import type { Admission } from "./channels.ts";
import { parseJson } from "./parse-command.ts";

const action = v.looseObject({ action: v.string() });

export type Performer = { viewer: Viewer; admission: Admission };

/**
 * Performs what a client asks of its subscription.
 * @param text JSON with the action's name and what belongs to it.
 * @returns messages for this subscription alone, as JSON; null for an unknown action. Rejects for what does not fit.
 */
export async function performAction(
  deps: Pick<Deps, "redis">,
  { admission }: Performer,
  text: string,
): Promise<string[] | null> {
  const data = v.parse(action, parseJson(text));
  switch (data.action) {
    case "since":
      return catchUp(deps.redis, admission.stream, data);
    default:
      return null;
  }
}
