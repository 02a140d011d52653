/**
 * What the host of one session gets: in the own session, in another one that is public, and in a private one of others. Everything that
 * is not here answers a host as it answers players, and that is tested too. The bodies are empty, so 400 and 422 mean that the caller was
 * let in; where the body names the session, an empty one is read first, so those have one status.
 */
export const hostApiAccess: Readonly<Record<string, string>> = {
  "GET /api/v1/sessions/:id/session_hosts": "200 403 403",
  "GET /api/v1/sessions/:id/health": "200 403 403",
  "GET /api/v1/sessions/:id/players": "422 403 403",
  "GET /api/v1/sessions/:id/audit": "200 403 403",
  "GET /api/v1/sessions/:id/decisions": "200 403 403",
  "GET /api/v1/sessions/:id/hosts": "200 403 403",
  "PUT /api/v1/sessions/:id/hosts/:tab": "400 403 403",
  "DELETE /api/v1/sessions/:id/hosts/:tab": "204 403 403",
  "GET /api/v1/sessions/:id/stage_link": "200 403 403",
  "PUT /api/v1/sessions/:id/stage_link": "200 403 403",
  "GET /api/v1/sessions/:id/join_code": "200 403 403",
  "PUT /api/v1/sessions/:id/join_code": "200 403 403",
  "DELETE /api/v1/sessions/:id/players/:userId": "204 403 403",
  "PUT /api/v1/sessions/:id/players/:userId/team": "400 403 403",
  "GET /api/v1/sessions/:id/results": "200 403 403",
  "GET /api/v1/sessions/:id/results.csv": "200 403 403",
  "GET /api/v1/sessions/:id/results.xlsx": "200 403 403",
  "PATCH /api/v1/sessions/:id": "400 403 403",
  "PUT /api/v1/sessions/:id/activate": "200 403 403",
  "PUT /api/v1/sessions/:id/deactivate": "200 403 403",
  "PUT /api/v1/sessions/:id/start": "422 403 403",
  "PUT /api/v1/sessions/:id/pause": "200 403 403",
  "PUT /api/v1/sessions/:id/resume": "200 403 403",
  "PUT /api/v1/sessions/:id/stop": "200 403 403",
  "POST /api/v1/sessions/:id/events/batch_update_positions": "400 403 403",
  "POST /api/v1/events": "400",
  "PATCH /api/v1/events/:id": "400 403 403",
  "DELETE /api/v1/events/:id": "422 403 403",
  "PUT /api/v1/events/:id/advance": "422 403 403",
  "PUT /api/v1/events/:id/skip": "422 403 403",
  "PUT /api/v1/events/:id/delay": "422 403 403",
  "GET /api/v1/events/:id/preview": "422 403 403",
  "PATCH /api/v1/events/:id/state": "400 403 403",
  "GET /api/v1/decisions/:id/recomputation": "200 403 403",
  "DELETE /api/v1/messages/:id": "204 403 403",
  "PUT /api/v1/messages/:id/approve": "200 403 403",
  "POST /api/v1/mutes": "400",
  "GET /api/v1/scores/exclusions": "403",
  "POST /api/v1/scores/exclusions": "400",
  "DELETE /api/v1/scores/exclusions/:id": "204 403 403",
  // Reads that show a host more than a player.
  "GET /api/v1/sessions/:id/registrations/:registrationId": "200 404 404",
  "GET /api/v1/sessions/:id/replay": "200 404 404",
  "GET /api/v1/sessions/:id/replay/export": "200 404 404",
};

/** The same for pages; the words are those of page-access.ts. */
export const hostPageAccess: Readonly<Record<string, string>> = {
  "GET /sessions/:slug/admin": "200 sessions sessions",
  "POST /sessions/:slug/admin": "400 400 400",
  "GET /sessions/:slug/edit": "200 sessions sessions",
  "POST /sessions/:slug/edit": "422 sessions sessions",
  "GET /sessions/:slug/replay": "200 404 404",
};
