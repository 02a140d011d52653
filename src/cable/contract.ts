import * as v from "valibot";
import { type Placed, type Position } from "#src/streams/contract.ts";

/** What names a subscription; on the wire it is a JSON string that is never made again from its parts. */
export const channelIdentifier = v.object({
  channel: v.picklist(["SessionsChannel", "UserChannel"]),
  /** A session's id or slug; a user's gid. */
  id: v.union([v.string(), v.number()]),
});

/**
 * What comes on a subscription: messages of its stream, some of which say nothing but their place because a newer one has
 * replaced them; answers to `since`; and what has no place in the stream.
 */
export type Transmission<Message> =
  | Placed<Message>
  | Position
  | Message
  | { caughtUp: Position }
  | ({ gap: true } & Position);
