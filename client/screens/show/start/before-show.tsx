import * as words from "#client/base/format/words.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import type { Check } from "./checklist.ts";
import { Checks } from "./checks.tsx";
import { JoinLink } from "./join-link.tsx";

/**
 * What a host needs before the start, in one panel: what is ready, and the link for players. It stands above the stage, on a phone above
 * the running order too, and on a wide screen in the right column.
 */
export function BeforeShow({ checks }: { checks: readonly Check[] }) {
  return (
    <div className="before-show">
      <Panel title={words.beforeTheShow}>
        <Checks checks={checks} />
        <div className="pad-row">
          <JoinLink />
        </div>
      </Panel>
    </div>
  );
}
