import { Link } from "react-router";
import { useView } from "../action/view.ts";
import { useViewer } from "../context.ts";
import { WatcherRow } from "../guest/watcher-row.tsx";
import { ShareButton } from "../share/share-button.tsx";
import { shareButtonText } from "../share/share-texts.ts";
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
