import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { useView } from "#client/events/view.ts";
import { haveACode } from "#client/join-codes/join-texts.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { ShareButton } from "#client/share/share-button.tsx";
import { shareButtonText } from "#client/share/share-texts.ts";
import { WatcherRow } from "#client/sign-ins/watcher-row.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { KeepLink } from "#client/wallet/keep-link.tsx";
import { EndCard, useOwnSum } from "./end-card.tsx";
import { endTexts } from "./end-texts.ts";

/** After a session: how it ended, and what can be done, in the rows of the live screen. */
export function End() {
  return (
    <>
      <div className="card-slot" id="main" tabIndex={-1}>
        <EndCard />
      </div>
      <div className="hand">
        <EndActions />
      </div>
    </>
  );
}

/** What can be done after a session, in the rows of the wager and of the sides, which are as high as before. */
function EndActions() {
  return useView().watching ? (
    <>
      <WatcherRow />
      <div className="sides" />
    </>
  ) : (
    <>
      <div className="wager end-share">
        <Share />
      </div>
      <div className="sides">
        <Onward />
      </div>
    </>
  );
}

/** Only who has a result has something to share. The list of sessions is for accounts; a guest enters another one by its code. */
function Share() {
  const { session } = useView().state;
  const guest = useViewer()?.guest === true;
  if (useOwnSum().curveCents.length === 0) {
    return (
      <Link className="btn primary wide" to={guest ? "/join" : "/sessions"}>
        {guest ? haveACode : endTexts.sessions}
      </Link>
    );
  }
  return (
    <ShareButton kind="session" targetId={session.id} className="btn primary wide">
      {shareButtonText("session")}
    </ShareButton>
  );
}

/** For a guest, what an account keeps comes first; for a host, the sheet. */
function Onward() {
  const { session, me } = useView().state;
  const { id, slug } = session;
  const viewer = useViewer();
  const isHost = viewer !== null && rolesIn(viewer, id).includes("admin");
  if (viewer?.guest === true) {
    return (
      <KeepLink className="btn you end-link all" rank={me === null ? null : formatRank(me)}>
        <span className="small">{endTexts.account}</span>
      </KeepLink>
    );
  }
  return (
    <>
      <Link className="btn end-link" to={`/sessions/${slug}/leaders`}>
        {endTexts.leaders}
      </Link>
      {isHost ? (
        <a className="btn end-link" href={`/api/v1/sessions/${slug}/results.csv`} download>
          {endTexts.sheet}
        </a>
      ) : (
        <Link className="btn end-link" to={`/sessions/${slug}/history`}>
          {endTexts.history}
        </Link>
      )}
    </>
  );
}
