import { ChatButton } from "./chat-button.tsx";
import { LiveState } from "./live-state.tsx";
import { openLeaders, Sheets } from "./sheets.tsx";

/** What a live session has beside its card; see use-phone-parts.ts. */
export const phoneParts = { ChatButton, LiveState, openLeaders, Sheets };
