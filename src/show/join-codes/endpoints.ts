import type { Endpoints } from "#src/http/endpoint.ts";
import { codedSessionAnswer, joinBody, joinCodeAnswer, joinedAnswer, removePlayerQuery } from "./schemas.ts";

/** `:id` is a slug or an id. */
const slugOrId = { id: "text" } as const;

const refusals = {
  unknown_code: { status: 404, when: "No session has this code. The error says what is wrong with it." },
  rate_limited: {
    status: 429,
    when: "Too many wrong codes came from the caller's address, and too many tries wait for their turn.",
  },
} as const;

/** Joining a session by the code that its host shows, and what its host does about it. */
export const joinCodesEndpoints = {
  showCodedSession: {
    method: "GET",
    path: "/api/v1/join_codes/:code",
    summary: "Shows the session to which a code leads",
    notes:
      "Codes are read as people type them: in upper or lower case, with spaces or hyphens. After many wrong codes the answer waits for up to 10 seconds.",
    who: "anyone",
    params: { code: "text" },
    limited: true,
    answer: codedSessionAnswer,
    refusals,
  },
  joinSession: {
    method: "POST",
    path: "/api/v1/joins",
    summary: "Joins a session by its code; a signed-out client becomes a guest",
    notes:
      "`username` and `face` are those of the new guest. Guests who come by a code do not count against GUESTS_PER_ADDRESS, but against larger limits of their address and of the session (429). A repeated request gets 200.",
    who: "anyone",
    body: { join: joinBody },
    limited: true,
    answer: joinedAnswer,
    status: 201,
    repeatedStatus: 200,
    idempotent: true,
    refusals: {
      ...refusals,
      removed: { status: 403, when: "The host has removed the player, and the code has not changed since." },
    },
  },
  showJoinCode: {
    method: "GET",
    path: "/api/v1/sessions/:id/join_code",
    summary: "Shows the code by which players join a session",
    who: "host",
    session: "id",
    params: slugOrId,
    answer: joinCodeAnswer,
  },
  renewJoinCode: {
    method: "PUT",
    path: "/api/v1/sessions/:id/join_code",
    summary: "Makes a new join code for a session, and ends the one before",
    who: "host",
    token: "run",
    session: "id",
    params: slugOrId,
    answer: joinCodeAnswer,
  },
  removePlayer: {
    method: "DELETE",
    path: "/api/v1/sessions/:id/players/:userId",
    summary: "Removes a player from a session",
    notes:
      "For the player the session does not exist from then on. A newer join code lets the player in again. Calls stay as they were placed. With `renew_code` the session gets a new code at once, so that the player does not come back as a new guest with the one of today. Repeating it changes nothing else.",
    who: "host",
    session: "id",
    params: slugOrId,
    query: removePlayerQuery.entries,
    refusals: { admin: "Admins are in every session.", host: "A host is in the session." },
  },
} as const satisfies Endpoints;
