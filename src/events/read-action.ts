import { readBody } from "#src/http/read-body.ts";
import { readId } from "#src/http/read-id.ts";
import type { Viewer } from "#src/users/viewer.ts";
import { actionBody, delayBody } from "./contract.ts";
import type { ShowOrder } from "./with-show.ts";

/**
 * Reads an action of the running order from a request. It may come without a body.
 * @param id as the path has it.
 * @throws Refusal 404 for what is no id, 400 and 422 for a body that does not fit.
 */
export function readAction(actor: Viewer, { id }: { id: string }, body: unknown): ShowOrder {
  const { reason } = readBody(body ?? nothing, "event", actionBody);
  return { eventId: readId(id), actor, reason: reason ?? null };
}

/** The same for a delay, which takes 30 s where the body does not say. */
export function readDelay(
  actor: Viewer,
  { id }: { id: string },
  body: unknown,
): ShowOrder & { seconds: number } {
  const { seconds, reason } = readBody(body ?? nothing, "event", delayBody);
  return { eventId: readId(id), actor, reason: reason ?? null, seconds };
}

const nothing = { event: {} };
