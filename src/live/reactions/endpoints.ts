import * as v from "valibot";
import { reactionKinds } from "#db/lists/reactions.ts";
import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { react } from "./react.ts";

/** Body of POST /api/v1/sessions/:id/reactions under `reaction`. */
const createReactionBody = v.strictObject({ kind: v.picklist(reactionKinds, "is invalid") });

/*
 * A reaction is worth nothing after a moment, so it is not stored: neither in Postgres nor as a message of its own. Each process
 * counts, and the session receives the counts of all processes at most once a second. While Redis is away, reactions are lost
 * without an error: a player can do nothing about it.
 */

export const reactionsEndpoints = {
  createReaction: endpoint({
    route: "POST /api/v1/sessions/:id/reactions",
    summary: "Reacts to what happens in a session",
    notes:
      "Nothing is stored. All who follow the session receive how often each kind was sent, at most once a second: the message `Reaction` of the SessionsChannel.",
    who: "viewer",
    params: { id: "text" },
    body: { reaction: createReactionBody },
    rate: rates.react,
    refusals: {
      not_joined: {
        status: 403,
        when: "The player has not joined the session. Guests join by their first call.",
      },
      muted: { status: 403, when: "An admin has muted the player in this session." },
      over: { status: 409, when: "The session is over." },
    },
    handle: (deps, { viewer, params, body }) =>
      react(deps, { viewer, sessionId: params.id, kind: body.reaction.kind }),
  }),
};
