import * as v from "valibot";
import { moment, rowId } from "#src/http/schemas.ts";
import { viewerSchema } from "#src/people/sign-ins/schemas.ts";
import { eventSchema } from "#src/show/events/schemas.ts";
import { sessionSchema } from "#src/show/sessions/schemas.ts";

/** The link of a dock, as those read it who run the session. */
export const dockSchema = v.object({
  id: rowId,
  madeBy: v.string(),
  createdAt: moment,
  lastUsedAt: v.nullable(moment),
});
export type DockView = v.InferOutput<typeof dockSchema>;
export const docksAnswer = v.object({ docks: v.array(dockSchema) });
export type DocksAnswer = v.InferOutput<typeof docksAnswer>;

/** `url` has the secret, and is in this answer only. */
export const newDockAnswer = v.object({ dock: dockSchema, url: v.string() });
export type NewDockAnswer = v.InferOutput<typeof newDockAnswer>;

/** What a dock shows. `maker`: in whose name it acts, as a host of this session alone. */
export const dockShowAnswer = v.object({
  maker: viewerSchema,
  session: sessionSchema,
  /** All of them, in the order of their positions. */
  events: v.array(eventSchema),
  serverTime: moment,
});
export type DockShowAnswer = v.InferOutput<typeof dockShowAnswer>;
