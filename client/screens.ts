import { HistoryScreen } from "./calls/history-screen.tsx";
import { SettlementScreen } from "./calls/settlement-screen.tsx";
import { LeaderboardScreen } from "./leaderboard/leaderboard-screen.tsx";
import { LeadersScreen } from "./leaderboard/leaders-screen.tsx";
import { SessionsScreen } from "./sessions/sessions-screen.tsx";
// Needed by all code, so that the bundler leaves React whole in one chunk.
import "react-dom/client";

/** The screens around the game: small, and in one chunk, which arrives beside their data. The game's own is always there. */
export const screens = {
  HistoryScreen,
  LeaderboardScreen,
  LeadersScreen,
  SessionsScreen,
  SettlementScreen,
};
