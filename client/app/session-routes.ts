import type { ActionFunctionArgs, RouteObject } from "react-router";
import * as words from "#client/base/format/words.ts";
import { loadSession, sessionChanged } from "#client/sessions/load-session.ts";
import { withErrorResponses } from "../base/page/error-responses.ts";
import { loadAction } from "../events/load-action.ts";
import { ActionScreen } from "../screens/action/action-screen.tsx";
import { SESSION_ROUTE } from "../ui/use-here.ts";
import { adminScreen, playerScreen, replayScreen, stageScreen } from "./chunks.ts";
import { screen } from "./screen.ts";

/** Only a page without JavaScript sends its forms: the browser has no code for them. */
async function act(args: ActionFunctionArgs) {
  return (await import("./screens.ts")).actOnAction(args);
}

/** The pages of one session. */
export const sessionRoutes: RouteObject = {
  id: SESSION_ROUTE,
  loader: withErrorResponses(loadSession),
  shouldRevalidate: sessionChanged,
  children: [
    screen({
      path: "/sessions/:slug",
      name: "action",
      title: "",
      layout: "play",
      flags: { guest: true, watch: true, adminsLandOn: "/admin" },
      reads: { session: true, game: true },
      loader: loadAction,
      action: act,
      screen: ActionScreen,
    }),
    screen({
      path: "/sessions/:slug/admin",
      name: "admin",
      title: words.admin,
      reads: { session: true },
      screen: adminScreen("ShowScreen"),
    }),
    screen({
      path: "/sessions/:slug/history",
      name: "history",
      title: "Call history",
      reads: { session: true, list: "calls" },
      screen: playerScreen("HistoryScreen"),
    }),
    ...(
      [
        {
          path: "/sessions/:slug/history/:callId",
          title: "Receipt",
          code: "HistoryScreen",
          flags: { guest: true },
        },
        {
          path: "/sessions/:slug/events/:eventId",
          title: words.howThisWasSettled,
          code: "SettlementScreen",
          flags: { guest: true },
        },
        {
          path: "/sessions/:slug/join",
          name: "sessionRegistration",
          title: words.join,
          code: "JoinScreen",
          flags: { redirectActive: true },
        },
        { path: "/sessions/:slug/leaders", name: "leaders", title: words.leaders, code: "LeadersScreen" },
      ] as const
    ).map(({ code, ...row }) => screen({ ...row, reads: { session: true }, screen: playerScreen(code) })),
    screen({
      path: "/sessions/:slug/chat",
      name: "chat",
      title: words.chat,
      flags: { redirectActive: true },
      reads: { session: true },
      screen: playerScreen("ChatScreen"),
    }),
    // The same chat for browsers without JavaScript, to which the action screen has a link.
    screen({
      path: "/sessions/:slug/live_chat",
      title: "Live chat",
      flags: { redirectActive: "withJavaScript" },
      reads: { session: true },
      screen: playerScreen("LiveChatScreen"),
    }),
    screen({
      path: "/sessions/:slug/stage",
      title: words.bigScreen,
      layout: "stage",
      flags: { guest: true, watch: true },
      reads: { session: true, game: true },
      screen: stageScreen,
    }),
    screen({
      path: "/sessions/:slug/replay",
      title: words.replay,
      flags: { guest: true },
      reads: { session: true },
      screen: replayScreen,
    }),
  ],
};
