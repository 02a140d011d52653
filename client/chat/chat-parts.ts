/** The parts of the chat on other pages: the count on its tab, and the chat itself beside the game. */
export { ChatPanel } from "./chat-panel.tsx";
export { Unread } from "./unread.tsx";
