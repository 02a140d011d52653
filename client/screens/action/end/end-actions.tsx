import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { useView } from "#client/events/view.ts";
import { ShareButton } from "#client/share/share-button.tsx";
import { shareButtonText } from "#client/share/share-texts.ts";
import { WatcherRow } from "#client/sign-ins/watcher-row.tsx";
import { useOwnSum } from "./end-card.tsx";
import { endTexts } from "./end-texts.ts";

/** What can be done after a session, in the rows of the wager and of the sides, which are as high as before. */
export function EndActions() {
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

/** Only who has a result has something to share. */
function Share() {
  const { session } = useView().state;
  if (useOwnSum().curveCents.length === 0) {
    return (
      <Link className="btn primary wide" to="/sessions">
        {endTexts.sessions}
      </Link>
    );
  }
  return (
    <ShareButton kind="session" targetId={session.id} className="btn primary wide">
      {shareButtonText("session")}
    </ShareButton>
  );
}

/** Guests cannot open the other pages yet. */
function Onward() {
  const { slug } = useView().state.session;
  if (useViewer()?.guest === true) {
    return (
      <Link className="btn end-link all" to="/users/guest_registration">
        {endTexts.account}
        <span className="small">{endTexts.keeps}</span>
      </Link>
    );
  }
  return (
    <>
      <Link className="btn end-link" to={`/sessions/${slug}/leaders`}>
        {endTexts.leaders}
      </Link>
      <Link className="btn end-link" to={`/sessions/${slug}/history`}>
        {endTexts.history}
      </Link>
    </>
  );
}
