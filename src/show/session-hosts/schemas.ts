import * as v from "valibot";
import { moment, rowId, textLine } from "#src/http/schemas.ts";
import { HOST_NAME_LENGTH_MAX } from "./contract.ts";

/** A user who counts as an admin in one session. */
export const sessionHostSchema = v.object({
  userId: rowId,
  username: v.string(),
  /** For admins; null for the hosts of the session. */
  email: v.nullable(v.string()),
  madeBy: v.string(),
  createdAt: moment,
});
export type SessionHostView = v.InferOutput<typeof sessionHostSchema>;
export const sessionHostsAnswer = v.object({ sessionHosts: v.array(sessionHostSchema) });
export type SessionHostsAnswer = v.InferOutput<typeof sessionHostsAnswer>;

export const addSessionHostBody = v.strictObject({ user: textLine(HOST_NAME_LENGTH_MAX) });
