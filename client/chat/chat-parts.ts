import { ChatPanel } from "./chat-panel.tsx";
import { Unread } from "./unread.tsx";

/** The parts of the chat on other pages: the count on its tab, and the chat itself beside the game. */
export const chatParts = { ChatPanel, Unread };
