import { partsOf } from "../base/deferred/use-late-parts.ts";

/** The parts of the chat on other pages. */
export const useChatParts = partsOf(() => import("./chat-parts.ts"));
