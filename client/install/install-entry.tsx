import { useState, useSyncExternalStore } from "react";
import { Icon } from "../ui/icon.tsx";
import { installTexts } from "./install-texts.ts";
import { installOffer, onInstallOffer, setInstallOffer } from "./offer.ts";

/** The menu's entry that installs the app, where the browser offers it. On iOS it says how to do it by hand. */
export function InstallEntry() {
  const offer = useSyncExternalStore(onInstallOffer, installOffer, () => null);
  const [isExplained, setExplained] = useState(false);
  if (offer === null && !isForHomeScreen()) return null;
  const install = async () => {
    if (offer === null) {
      setExplained(true);
      return;
    }
    // An offer can be used once. The browser makes another with the next page.
    setInstallOffer(null);
    await offer.prompt();
  };
  return (
    <nav aria-label={installTexts.install}>
      <button type="button" onClick={() => void install()}>
        <Icon name="down" />
        {installTexts.install}
      </button>
      <p className="small ink2 hint" role="status">
        {isExplained ? installTexts.installByHand : ""}
      </p>
    </nav>
  );
}

/** iOS has no offer: its browsers install from their Share menu. */
export function isForHomeScreen(): boolean {
  return isAppleTouch() && !matchMedia("(display-mode: standalone)").matches;
}

/** An iPad says that it is a Mac; no Mac is touched with five fingers. */
function isAppleTouch(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}
