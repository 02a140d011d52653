import { HistoryScreen } from "./calls/history-screen.tsx";
import { loadHistory } from "./calls/load-history.ts";
import { loadSettlement } from "./calls/load-settlement.ts";
import { SettlementScreen } from "./calls/settlement-screen.tsx";
import { actOnChat } from "./chat/act-on-chat.ts";
import { ChatPanel } from "./chat/chat-panel.tsx";
import { ChatScreen } from "./chat/chat-screen.tsx";
import { LiveChatScreen } from "./chat/live-chat-screen.tsx";
import { loadChat } from "./chat/load-chat.ts";
import { Unread } from "./chat/unread.tsx";
import type { ScreenInChunk } from "./handle.ts";
import { LeaderboardScreen } from "./leaderboard/leaderboard-screen.tsx";
import { LeadersScreen } from "./leaderboard/leaders-screen.tsx";
import { loadLeaderboard, loadLeaders } from "./leaderboard/load-leaders.ts";
import { loadScore } from "./leaderboard/load-score.ts";
import { manageLeaders } from "./leaderboard/manage-leaders.ts";
import { ScoreScreen } from "./leaderboard/score-screen.tsx";
import { JoinScreen } from "./sessions/join-screen.tsx";
import { joinSession } from "./sessions/join-session.ts";
import { loadJoin } from "./sessions/load-join.ts";
import { loadSessions } from "./sessions/load-sessions.ts";
import { SessionsScreen } from "./sessions/sessions-screen.tsx";

/** The screens around the game, with their data, in one small chunk. The Action screen itself is part of the entry. */
export const screens = {
  ChatScreen: { Component: ChatScreen, loader: loadChat, action: actOnChat },
  HistoryScreen: { Component: HistoryScreen, loader: loadHistory },
  LiveChatScreen: { Component: LiveChatScreen, loader: loadChat, action: actOnChat },
  JoinScreen: { Component: JoinScreen, loader: loadJoin, action: joinSession },
  LeaderboardScreen: { Component: LeaderboardScreen, loader: loadLeaderboard, action: manageLeaders },
  LeadersScreen: { Component: LeadersScreen, loader: loadLeaders, action: manageLeaders },
  ScoreScreen: { Component: ScoreScreen, loader: loadScore, action: manageLeaders },
  SessionsScreen: { Component: SessionsScreen, loader: loadSessions },
  SettlementScreen: { Component: SettlementScreen, loader: loadSettlement },
} satisfies Record<string, ScreenInChunk>;

/** The parts of the chat on other pages: the count on its tab, and the chat itself beside the game. */
export const chatParts = { ChatPanel, Unread };
