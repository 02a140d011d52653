import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readBody } from "#src/http/read-body.ts";
import { readId } from "#src/http/read-id.ts";
import { notFound } from "#src/http/refusal.ts";
import { requireAdmin, requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import type { Visit } from "#src/users/visit.ts";
import { announce } from "./announce.ts";
import { clearNotifications } from "./clear-notifications.ts";
import { announcementBody, markReadBody } from "./contract.ts";
import { listNotifications } from "./list-notifications.ts";
import { markNotificationsRead } from "./mark-notifications-read.ts";

/** One's own notifications, which guests have too: reading, marking as read, clearing; and (admins) telling everybody. */
export function notificationsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return new Elysia({ name: "notifications" })
    .use(visiting(deps))
    .get("/api/v1/users/:id/notifications", ({ params, query, visit }) =>
      listNotifications(db, ownId(visit, params.id), query),
    )
    .put("/api/v1/users/:id/notifications/read", async ({ params, body, visit }) => {
      const userId = ownId(visit, params.id);
      const { upToId } = readBody(body, "notifications", markReadBody);
      await markNotificationsRead(db, { userId, upToId });
      return listNotifications(db, userId, {});
    })
    .post("/api/v1/announcements", async ({ body, visit, status }) => {
      const actor = requireAdmin(visit);
      return status(
        201,
        await announce(deps, { ...readBody(body, "announcement", announcementBody), actor }),
      );
    })
    .delete("/api/v1/users/:id/notifications", async ({ params, visit, set }) => {
      await clearNotifications(db, ownId(visit, params.id));
      set.status = 204;
    });
}

/** Nobody reads what another was told, admins neither: it is as if there were none, 404. */
function ownId(visit: Visit, id: string): number {
  const viewer = requireViewer(visit);
  const userId = readId(id);
  if (userId !== viewer.id) throw notFound();
  return userId;
}
