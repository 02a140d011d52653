import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { presentViewer } from "#src/people/sign-ins/viewer.ts";
import { forHosts } from "#src/play/session-endpoints.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { findCodedSession, renewJoinCode, showJoinCode } from "./join-code.ts";
import { joinWith } from "./join-session.ts";
import { findWaves, removePlayer, removeWave, restoreWave } from "./remove-player.ts";
import {
  codedSessionAnswer,
  codeQuery,
  joinBody,
  joinCodeAnswer,
  joinedAnswer,
  removePlayerQuery,
  removeWaveQuery,
  waveAnswer,
  wavesAnswer,
} from "./schemas.ts";

const refusals = {
  unknown_code: { status: 404, when: "No session has this code. The error says what is wrong with it." },
  rate_limited: {
    status: 429,
    when: "Too many wrong codes came from the caller's address, and too many tries wait for their turn.",
  },
} as const;

/** Joining a session by the code that its host shows, and what its host does about it. */
export const joinCodesEndpoints = {
  showCodedSession: endpoint({
    route: "GET /api/v1/join_codes/:code",
    summary: "Shows the session to which a code leads",
    notes:
      "Codes are read as people type them: in upper or lower case, with spaces or hyphens. After many wrong codes from an address the answer about another wrong code or a private session waits for up to 10 seconds; with `k`, which the link of a session has beside its code, it does not.",
    who: "anyone",
    params: { code: "text" },
    query: codeQuery.entries,
    limited: true,
    answer: codedSessionAnswer,
    refusals,
    handle: async (deps, { params, query, authentication }) => ({
      session: await findCodedSession(deps, { ...params, ...query }, authentication),
    }),
  }),
  joinSession: endpoint({
    route: "POST /api/v1/joins",
    summary: "Joins a session by its code; a signed-out client becomes a guest",
    notes:
      "`username` and `face` are those of the new guest. Guests who come by a code do not count against GUESTS_PER_ADDRESS, but against larger limits of their address and of the session (429); entries of one address that come faster than people walk in wait some seconds (429). In a session with `settings.givenNames` a new guest gets a name, and `username` is not used. A repeated request gets 200.",
    who: "anyone",
    body: { join: joinBody },
    limited: true,
    answer: joinedAnswer,
    repeatedStatus: 200,
    creates: true,
    refusals: {
      ...refusals,
      switched_off: { status: 403, when: "The caller is signed out, and an admin has turned guests off." },
      locked: { status: 403, when: "The host has locked the room, and the player is not in it." },
      removed: { status: 403, when: "The host has removed the player, and the code has not changed since." },
    },
    handle: async (deps, { context, authentication, body: { join }, keyed, set }) => {
      const { session, viewer, created } = await joinWith(deps, { context, authentication, join, keyed });
      if (!created) set.status = 200;
      return { session, user: presentViewer(viewer) };
    },
  }),
  showJoinCode: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/join_code",
    summary: "Shows the code by which players join a session",
    answer: joinCodeAnswer,
    handle: async (deps, { params, authentication }) =>
      showJoinCode(deps, await requireSession(deps.pool.db, params.id), authentication),
  }),
  renewJoinCode: endpoint({
    ...forHosts,
    route: "PUT /api/v1/sessions/:id/join_code",
    summary: "Makes a new join code for a session, and ends the one before",
    token: "run",
    answer: joinCodeAnswer,
    handle: async (deps, { params, viewer, authentication }) => {
      const renewed = await renewJoinCode(deps, { sessionId: params.id, actor: viewer });
      return showJoinCode(deps, renewed, authentication);
    },
  }),
  removePlayer: endpoint({
    ...forHosts,
    route: "DELETE /api/v1/sessions/:id/players/:userId",
    summary: "Removes a player from a session",
    notes:
      "For the player the session does not exist from then on. A newer join code lets the player in again. Calls stay as they were placed. With `renew_code` the session gets a new code at once, so that the player does not come back as a new guest with the one of today. Repeating it changes nothing else.",
    query: removePlayerQuery.entries,
    refusals: { admin: "Admins are in every session.", host: "A host is in the session." },
    handle: (deps, { params: { id: sessionId, userId }, viewer, query }) =>
      removePlayer(deps, { sessionId, userId, actor: viewer, renewsCode: query.renewCode === "true" }),
  }),
  listWaves: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/waves",
    summary:
      "Lists who has come to a session from one network within the last 10 minutes, and the waves that were removed",
    notes: "Addresses are not shown. Who runs the session is not among them.",
    answer: wavesAnswer,
    handle: (deps, { params, now }) => findWaves(deps, params.id, now),
  }),
  removeWave: endpoint({
    route: "DELETE /api/v1/sessions/:id/waves/:wave",
    summary: "Removes all players at once who have come from one network within the last 10 minutes",
    notes:
      "`:wave` and `until`, the `serverTime` of the answer, are those of the list: who came later stays. Each is removed as a single player is; the code stays.",
    who: "host",
    session: "id",
    params: { id: "text", wave: "text" },
    query: removeWaveQuery.entries,
    handle: async (deps, { params, viewer, query: { until } }) => {
      await removeWave(deps, { sessionId: params.id, actor: viewer, network: params.wave, until });
    },
  }),
  restoreWave: endpoint({
    route: "PUT /api/v1/sessions/:id/waves/:wave",
    summary: "Takes the removal of a wave back: its players are in the session again",
    notes: "`:wave` is the id of the removal in the list.",
    who: "host",
    session: "id",
    params: { id: "text", wave: "text" },
    answer: waveAnswer,
    handle: async (deps, { params, viewer }) => ({
      wave: await restoreWave(deps, { sessionId: params.id, actor: viewer, wave: params.wave }),
    }),
  }),
};
