import type { ReactNode } from "react";
import { createStaticHandler, RouterContextProvider } from "react-router";
import { createApi } from "#client/api.ts";
import { apiContext, pageContext } from "#client/context.ts";
import type { Page } from "#client/page.ts";
import { routes } from "#client/routes.tsx";
import type { EventView } from "#src/events/schemas.ts";
import type { LeadersAnswer } from "#src/leaderboard/schemas.ts";
import type { NotificationView } from "#src/notifications/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { pageApp, routerApp } from "#src/ssr/page-app.tsx";
import type { WalletView } from "#src/wallet/schemas.ts";
import { NOW_MS } from "#tests/client/action-states.ts";

/** All that the Action page of a viewer is made of. */
export type ActionScene = {
  page: Page;
  session: SessionView;
  events: readonly EventView[];
  leaders: LeadersAnswer;
  wallet: WalletView;
  notifications: readonly NotificationView[];
  active: SessionView | null;
  /** The server's time of the page. */
  nowMs?: number;
};

const handler = createStaticHandler(routes);

/** The Action page of a scene, made by the app's own routes and loaders; and the same with the router's own provider. */
export async function actionPage(scene: ActionScene): Promise<{ page: ReactNode; byRouter: ReactNode }> {
  const api = createApi({ inProcess: true, carry: async (_method, path) => answerOf(scene, path) });
  const context = new RouterContextProvider();
  context.set(pageContext, scene.page);
  context.set(apiContext, api);
  const request = new Request(`http://localhost/sessions/${scene.session.slug}`);
  const result = await handler.query(request, { requestContext: context });
  if (result instanceof Response) throw new TypeError(`The page leads to ${result.headers.get("location")}.`);
  const app = { page: scene.page, api };
  return { page: pageApp(app, result), byRouter: routerApp(app, result) };
}

function answerOf(scene: ActionScene, path: string): unknown {
  const { session, events, leaders, wallet, notifications, active, nowMs = NOW_MS } = scene;
  const serverTime = new Date(nowMs).toISOString();
  const meta = { page: 1, perPage: 100, totalPages: 1, totalCount: 0, serverTime };
  if (path.endsWith("/events")) return { events, meta };
  if (path.endsWith("/leaders")) return leaders;
  if (path === "/api/v1/sessions") return { sessions: active === null ? [] : [active], meta };
  if (path.endsWith("/wallet")) return { wallet };
  if (path.endsWith("/notifications")) {
    const unreadCount = notifications.filter(({ readAt }) => readAt === null).length;
    return { notifications, meta: { ...meta, unreadCount } };
  }
  return { session };
}
