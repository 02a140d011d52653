import { useCallback, useRef } from "react";
import { beforeLateCode } from "#client/base/browser/late-code.ts";
import { useApi } from "#client/base/page/context.ts";
import { showToast } from "#client/ui/toast.tsx";
import * as texts from "../action-texts.ts";
import { onItsWayMs, unansweredOf } from "./unanswered.ts";

/**
 * Runs work unless other work is still running, or a call has no answer yet. Such a press is ignored as accidental; when the
 * answer takes long, the player reads why.
 */
export function useExclusive(): (work: () => Promise<void>) => Promise<void> {
  const api = useApi();
  const busy = useRef(false);
  return useCallback(
    async (work) => {
      const sent = unansweredOf(api);
      if (sent !== undefined && onItsWayMs(sent) === 0) {
        showToast({ icon: "info", text: texts.stillBeingChecked, urgent: true });
      }
      if (busy.current || sent !== undefined) return;
      busy.current = true;
      await beforeLateCode(work).finally(() => {
        busy.current = false;
      });
    },
    [api],
  );
}
