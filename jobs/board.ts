import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { HonoAdapter } from "@bull-board/hono";
import { Hono } from "hono";
import { serveStatic } from "hono/bun";
import { DASHBOARD_PATH } from "#src/http/page-request.ts";
import type { Queues } from "./queues.ts";

/** All that is ever changed from here. To have a job run again is always safe. */
const changes = new Set([
  "/api/queues/:queueName/:jobId/retry",
  "/api/queues/:queueName/retry/:queueStatus",
  "/api/queues/:queueName/:jobId/promote",
  "/api/queues/:queueName/promote",
]);

export type WatchedQueues = Pick<Queues, "transitions" | "settlements" | "mails" | "pictures">;

/**
 * A board over the queues.
 * @param mayChange failed jobs may be retried and delayed ones promoted; without it everything but looking is a 403.
 */
export function createBoard(
  { transitions, settlements, mails, pictures }: WatchedQueues,
  { mayChange }: { mayChange: boolean },
): (request: Request) => Promise<Response> {
  const serverAdapter = new HonoAdapter(serveStatic);
  serverAdapter.setBasePath(DASHBOARD_PATH);
  createBullBoard({
    queues: [transitions, settlements, mails, pictures].map(
      (queue) => new BullMQAdapter(queue, { readOnlyMode: !mayChange }),
    ),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: "Queues",
        hideDocsLink: true,
        miscLinks: [{ text: "Back to Called It", url: "/sessions" }],
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
