import { Panel } from "#client/ui/page-layout.tsx";
import * as texts from "../texts/start-texts.ts";
import type { Check } from "./checklist.ts";
import { Checks } from "./checks.tsx";
import { JoinLink } from "./join-link.tsx";

/** What a host needs before the start, in one panel: what is ready, and the link for players. */
export function BeforeShow({ checks }: { checks: readonly Check[] }) {
  return (
    <Panel title={texts.beforeTheShow}>
      <Checks checks={checks} />
      <div className="pad-row">
        <JoinLink />
      </div>
    </Panel>
  );
}
