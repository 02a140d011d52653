import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { actOnAction } from "#client/screens/action/act-on-action.ts";
import { actOnChat } from "#client/screens/chat/act-on-chat.ts";
import { ChatScreen } from "#client/screens/chat/chat-screen.tsx";
import { LiveChatScreen } from "#client/screens/chat/live-chat-screen.tsx";
import { loadChat } from "#client/screens/chat/load-chat.ts";
import { actOnHistory } from "#client/screens/history/act-on-history.ts";
import { HistoryScreen } from "#client/screens/history/history-screen.tsx";
import { loadHistory } from "#client/screens/history/load-history.ts";
import { JoinScreen } from "#client/screens/join/join-screen.tsx";
import { joinSession } from "#client/screens/join/join-session.ts";
import { loadJoin } from "#client/screens/join/load-join.ts";
import { LeaderboardScreen } from "#client/screens/leaderboard/leaderboard-screen.tsx";
import { LeadersScreen } from "#client/screens/leaderboard/leaders-screen.tsx";
import { loadLeaderboard, loadLeaders } from "#client/screens/leaderboard/load-leaders.ts";
import { loadScore } from "#client/screens/leaderboard/load-score.ts";
import { loadSeason } from "#client/screens/leaderboard/load-season.ts";
import { manageLeaders } from "#client/screens/leaderboard/manage-leaders.ts";
import { ScoreScreen } from "#client/screens/leaderboard/score-screen.tsx";
import { SeasonScreen } from "#client/screens/leaderboard/season-screen.tsx";
import { changeReminder } from "#client/screens/remind/change-reminder.ts";
import { loadReminder } from "#client/screens/remind/load-reminder.ts";
import { RemindScreen } from "#client/screens/remind/remind-screen.tsx";
import { loadSessions } from "#client/screens/sessions/load-sessions.ts";
import { SessionsScreen } from "#client/screens/sessions/sessions-screen.tsx";
import { loadSettlement } from "#client/screens/settlement/load-settlement.ts";
import { SettlementScreen } from "#client/screens/settlement/settlement-screen.tsx";

/** The screens around the game, with their data, in one small chunk. The Action screen itself is part of the entry. */
export const screens = {
  ChatScreen: { Component: ChatScreen, loader: loadChat, action: actOnChat },
  HistoryScreen: { Component: HistoryScreen, loader: loadHistory, action: actOnHistory },
  LiveChatScreen: { Component: LiveChatScreen, loader: loadChat, action: actOnChat },
  JoinScreen: { Component: JoinScreen, loader: loadJoin, action: joinSession },
  LeaderboardScreen: { Component: LeaderboardScreen, loader: loadLeaderboard, action: manageLeaders },
  LeadersScreen: { Component: LeadersScreen, loader: loadLeaders, action: manageLeaders },
  RemindScreen: { Component: RemindScreen, loader: loadReminder, action: changeReminder },
  ScoreScreen: { Component: ScoreScreen, loader: loadScore, action: manageLeaders },
  SeasonScreen: { Component: SeasonScreen, loader: loadSeason },
  SessionsScreen: { Component: SessionsScreen, loader: loadSessions },
  SettlementScreen: { Component: SettlementScreen, loader: loadSettlement },
} satisfies Record<string, ScreenInChunk>;

/** The form of a call, which only a page without JavaScript sends. */
export { actOnAction };
