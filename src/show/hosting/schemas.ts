import * as v from "valibot";
import { moment, rowId } from "#src/http/schemas.ts";
import { armedActs } from "./contract.ts";

/** What a host is about to do, once they confirm it. */
const armingSchema = v.object({ eventId: rowId, act: v.picklist(armedActs) });

/** A page on which an admin runs a session. A host with two windows has two. */
export const hostSchema = v.object({
  /** Made by the page. */
  tab: v.string(),
  userId: rowId,
  username: v.string(),
  /** Null: nothing is armed. */
  arming: v.nullable(armingSchema),
});
export type HostView = v.InferOutput<typeof hostSchema>;

/** `serverTime`: an older list than one that was received before is to be ignored. */
export const hostsAnswer = v.object({ hosts: v.array(hostSchema), serverTime: moment });
export type HostsAnswer = v.InferOutput<typeof hostsAnswer>;

export const updateHostBody = v.strictObject({
  arming: v.optional(
    v.nullable(v.strictObject({ eventId: rowId, act: v.picklist(armedActs, "is invalid") })),
    null,
  ),
});
export type Arming = v.InferOutput<typeof updateHostBody>["arming"];

/** The message to the hosts of a session. Nobody else receives it, and it has no offset: it is not stored. */
export const hostsMessage = v.object({
  sourceType: v.literal("Host"),
  eventType: v.literal("list"),
  detail: v.object({ ...hostsAnswer.entries, version: v.number() }),
});
export type HostsMessage = v.InferOutput<typeof hostsMessage>;
