import { useNavigation } from "react-router";

/** A thin line at the top while the next page is on its way; CSS keeps it away from short waits. */
export function Progress() {
  const busy = useNavigation().state !== "idle";
  return busy ? <div className="progress" role="progressbar" aria-label="Loading..." /> : null;
}
