import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { HonoAdapter } from "@bull-board/hono";
import { Hono } from "hono";
import { serveStatic } from "hono/bun";
import { DASHBOARD_PATH } from "#src/http/request-context.ts";
import { MARK } from "./board-look.ts";
import type { Queues } from "./queues.ts";

/**
 * The only changes that the dashboard allows. Running a job again is always safe, but a queue that is paused or emptied by
 * mistake would stop the game. So all else is refused, to admins too.
 */
const changes = new Set([
  "/api/queues/:queueName/:jobId/retry",
  "/api/queues/:queueName/retry/:queueStatus",
  "/api/queues/:queueName/:jobId/promote",
  "/api/queues/:queueName/promote",
]);

/**
 * Creates Bull Board's app over all queues.
 * @param mayChange allows to retry failed jobs and to promote delayed ones; without it every change is a 403.
 */
export function createBoard(
  { byName }: Pick<Queues, "byName">,
  { mayChange }: { mayChange: boolean },
): (request: Request) => Promise<Response> {
  const serverAdapter = new HonoAdapter(serveStatic);
  serverAdapter.setBasePath(DASHBOARD_PATH);
  createBullBoard({
    queues: Object.values(byName).map((queue) => new BullMQAdapter(queue, { readOnlyMode: !mayChange })),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: "Queues",
        hideDocsLink: true,
        favIcon: { default: MARK, alternative: MARK },
        showMetrics: true,
      },
      handlerHooks: {
        before: ({ method, route }) => ({
          allow: method === "get" || (mayChange && changes.has(route)),
          message: mayChange
            ? "Jobs can be retried and promoted here, and nothing else."
            : "You may look, not touch.",
        }),
      },
    },
  });
  const app = new Hono();
  app.route(DASHBOARD_PATH, serverAdapter.registerPlugin());
  return async (request) => app.fetch(request);
}
