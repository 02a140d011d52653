import * as v from "valibot";

/** What names a subscription; on the wire it is a JSON string that is never made again from its parts. */
export const channelIdentifier = v.object({
  channel: v.picklist(["SessionsChannel", "UserChannel"]),
  /** A session's id or slug; a user's gid. */
  id: v.union([v.string(), v.number()]),
});
