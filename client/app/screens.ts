import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { actOnAction } from "#client/screens/action/act-on-action.ts";
import { actOnChat, ChatScreen, LiveChatScreen, loadChat } from "#client/screens/chat/chat-screen.tsx";
import { actOnHistory, HistoryScreen, loadHistory } from "#client/screens/history/history-screen.tsx";
import { JoinScreen, joinSession, loadJoin } from "#client/screens/join/join-screen.tsx";
import { LeaderboardScreen } from "#client/screens/leaderboard/leaderboard-view.tsx";
import { LeadersScreen, ScoreScreen, loadScore } from "#client/screens/leaderboard/leaders-screen.tsx";
import { loadLeaderboard, loadLeaders } from "#client/screens/leaderboard/load-leaders.ts";
import { manageLeaders } from "#client/screens/leaderboard/manage-leaderboard.tsx";
import { loadSeason, SeasonScreen } from "#client/screens/leaderboard/season-screen.tsx";
import { changeReminder, loadReminder, RemindScreen } from "#client/screens/remind/remind-screen.tsx";
import { loadSessions, SessionsScreen } from "#client/screens/sessions/sessions-screen.tsx";
import { loadSettlement, SettlementScreen } from "#client/screens/settlement/settlement-screen.tsx";

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
