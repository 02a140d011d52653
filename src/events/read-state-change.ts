import type { Based } from "#src/http/if-match.ts";
import { readBody } from "#src/http/read-body.ts";
import { readId } from "#src/http/read-id.ts";
import type { Viewer } from "#src/users/viewer.ts";
import { type ChangeStateBody, changeStateBody } from "./contract.ts";

/** Somebody's wish to move an event, as changeEventState takes it. */
export type StateChange = Based & { eventId: number; actor: { id: number }; body: ChangeStateBody };

/**
 * Reads that wish from a request.
 * @param id as the path has it.
 * @throws Refusal 404 for what is no id, 400 and 422 for a body that does not fit.
 */
export function readStateChange(actor: Viewer, id: string, body: unknown): StateChange {
  return { eventId: readId(id), actor, body: readBody(body, "event", changeStateBody) };
}
