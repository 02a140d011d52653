import type { Endpoints } from "#src/http/endpoint.ts";
import { docksAnswer, dockShowAnswer, newDockAnswer } from "./schemas.ts";

const ofSession = { who: "host", session: "id", params: { id: "text" } } as const;

/** Docks: narrow pages, for a place in OBS, in which a show is run by a link alone. */
export const docksEndpoints = {
  listDocks: {
    ...ofSession,
    route: "GET /api/v1/sessions/:id/docks",
    summary: "Lists the docks of a session whose links were not revoked, the newest first",
    token: "none",
    answer: docksAnswer,
  },
  makeDock: {
    ...ofSession,
    route: "POST /api/v1/sessions/:id/docks",
    summary: "Makes a dock, by whose link the show is run without a sign-in",
    notes:
      "`url` is in this answer only. What is done by it is audited as the dock of who made it, and refused where they may not do it. It ends with the show, and when they do not run the session any more.",
    answer: newDockAnswer,
    creates: true,
  },
  revokeDock: {
    ...ofSession,
    route: "DELETE /api/v1/sessions/:id/docks/:dockId",
    summary: "Revokes the link of a dock",
    notes: "It is refused from this answer on.",
  },
  showDock: {
    ...ofSession,
    route: "GET /api/v1/sessions/:id/dock",
    summary: "Shows a session and its events as its dock does",
    dock: true,
    answer: dockShowAnswer,
  },
} as const satisfies Endpoints;
