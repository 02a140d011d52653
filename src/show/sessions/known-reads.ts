import { createKnownRead } from "#src/http/known-read.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { Watched } from "./require-watcher.ts";
import type { SessionView } from "./schemas.ts";

/** A session as the caller of the request reads it, by its slug or id as the address has it. */
export const knownSession = createKnownRead<string, SessionView>();

/** All published events of a session with the caller's own calls, for callers who are no admins. */
export const knownEvents = createKnownRead<
  { slugOrId: string; now: Date },
  { session: Watched; events: EventView[] }
>();
