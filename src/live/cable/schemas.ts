import * as v from "valibot";

/** The name of a subscription. On the wire it is JSON text, which is always compared and returned as the client sent it. */
export const channelIdentifier = v.object({
  channel: v.picklist(["SessionsChannel", "UserChannel"]),
  /** A session's id or slug; a user's gid. */
  id: v.union([v.string(), v.number()]),
});
