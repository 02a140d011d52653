/** The game itself, as opposed to what is somebody's own: it may be kept, and asked about again. */
export const taggedReads: ReadonlySet<string> = new Set([
  "GET /api/v1/sessions",
  "GET /api/v1/sessions/:id",
  "GET /api/v1/sessions/:id/events",
  "GET /api/v1/sessions/:id/events/:eventId",
  "GET /api/v1/sessions/:id/audit",
  "GET /api/v1/events",
  "GET /api/v1/events/:id",
  "GET /api/v1/events/:id/settlement",
  "GET /api/v1/scores",
  "GET /api/v1/scores/leaders",
  "GET /api/v1/blueprints",
  "GET /api/v1/blueprints/new",
  "GET /api/v1/blueprints/:id",
  "GET /api/v1/blueprints/:id/edit",
  "GET /api/v1/blueprint_events/:id",
]);
