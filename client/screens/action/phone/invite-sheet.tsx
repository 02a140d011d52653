import { useEffect, useState } from "react";
import { useLateParts } from "#client/base/deferred/use-late-parts.ts";
import { useApi } from "#client/base/page/context.ts";
import { useView } from "#client/events/view.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { StageAnswer } from "#src/show/stage/schemas.ts";
import { BottomSheet } from "./bottom-sheet.tsx";
import { useOpenSheet } from "./sheet-history.ts";

const load = async () => (await import("./invite.tsx")).inviteParts;

/** How somebody else comes in: by the code, the link or its QR code, as the big screen shows them. */
export function InviteSheet() {
  const { name, slug } = useView().state.session;
  const open = useOpenSheet() === "invite";
  const [asked, setAsked] = useState(open);
  if (open && !asked) setAsked(true);
  const parts = useLateParts(asked ? load : null);
  const way = useWayIn(slug, open);
  return (
    <BottomSheet name="invite" title="Invite">
      <div className="bottom-sheet-body">
        {parts === null || way === null ? (
          <p className="small ink2 nothing">Loading...</p>
        ) : (
          <parts.Invite {...way} name={name} />
        )}
      </div>
    </BottomSheet>
  );
}

type WayIn = Pick<StageAnswer, "joinCode" | "joinUrl">;

/** The code and the link, read again each time: a host may have renewed them. */
function useWayIn(slug: string, open: boolean): WayIn | null {
  const api = useApi();
  const [way, setWay] = useState<WayIn | null>(null);
  useEffect(() => {
    if (!open) return;
    const left = new AbortController();
    api.get(`${sessionPath(slug)}/stage`, { signal: left.signal }).then(setWay, () => undefined);
    return () => left.abort();
  }, [api, slug, open]);
  return way;
}
