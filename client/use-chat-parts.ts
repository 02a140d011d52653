import { useEffect, useState } from "react";
import type { chatParts } from "./screens.ts";

/**
 * The pieces of the chat that stand on other pages. Their code is fetched when somebody wants them.
 * @returns null until it is there.
 */
export function useChatParts({ wanted }: { wanted: boolean }): typeof chatParts | null {
  const [parts, setParts] = useState<typeof chatParts | null>(null);
  useEffect(() => {
    if (!wanted) return;
    import("./screens.ts").then(
      (module) => setParts(module.chatParts),
      () => undefined,
    );
  }, [wanted]);
  return parts;
}
