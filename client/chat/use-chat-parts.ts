import { partsOf } from "../base/deferred/use-late-parts.ts";

export const useChatParts = partsOf(() => import("./chat-parts.ts"));
