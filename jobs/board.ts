import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { HonoAdapter } from "@bull-board/hono";
import type { Queue } from "bullmq";
import { Hono } from "hono";
import { serveStatic } from "hono/bun";
import { queueNames } from "#db/lists/queues.ts";
import type { Queues } from "#src/base/queues.ts";
import { DASHBOARD_PATH } from "#src/http/request-context.ts";
import { queueTitle } from "#src/operate/operations/contract.ts";
import { MARK } from "./board-look.ts";

// Decision: the dashboard only shows, to admins too. Bull Board has one switch for Retry and for what would empty queues, edit or delete
// jobs, and a button that is always refused is worse than none. The operators' home runs failed jobs again, and records who did.

/** A queue by its title, with the states of jobs that the product has: its jobs have neither children nor priorities. */
class ShownQueue extends BullMQAdapter {
  constructor(queue: Queue) {
    super(queue, {
      readOnlyMode: true,
      description: queue.name,
      externalJobUrl: () => ({ displayText: "Operations", href: `/admin#queue-${queue.name}` }),
    });
  }
  /** The name in lists, headings and addresses. */
  override getName() {
    return queueTitle(super.getName());
  }
  override getJobStatuses() {
    return super.getJobStatuses().filter((state) => state !== "waiting-children" && state !== "prioritized");
  }
}

/** Creates Bull Board's app over all queues, in the order and by the names of the operators' home. */
export function createBoard({ byName }: Pick<Queues, "byName">): (request: Request) => Promise<Response> {
  const serverAdapter = new HonoAdapter(serveStatic);
  serverAdapter.setBasePath(DASHBOARD_PATH);
  createBullBoard({
    queues: queueNames.map((name) => new ShownQueue(byName[name])),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: "Jobs",
        boardLogo: { path: MARK, width: 0, height: 0 },
        hideDocsLink: true,
        favIcon: { default: MARK, alternative: MARK },
        showMetrics: true,
        sortQueues: false,
      },
      handlerHooks: {
        before: ({ method }) => ({
          allow: method === "get",
          message: "Jobs are shown here, and changed at /admin.",
        }),
      },
    },
  });
  const app = new Hono();
  app.route(DASHBOARD_PATH, serverAdapter.registerPlugin());
  return async (request) => app.fetch(request);
}
