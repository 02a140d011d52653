import { useEffect, useState } from "react";
import type { chatParts } from "./screens.ts";

/**
 * The parts of the chat on other pages. Their code is fetched when it is needed.
 * @returns null until it has arrived.
 */
export function useChatParts({ enabled }: { enabled: boolean }): typeof chatParts | null {
  const [parts, setParts] = useState<typeof chatParts | null>(null);
  useEffect(() => {
    if (!enabled) return;
    import("./screens.ts").then(
      (module) => setParts(module.chatParts),
      () => undefined,
    );
  }, [enabled]);
  return parts;
}
