import { EndActions } from "./end-actions.tsx";
import { EndCard } from "./end-card.tsx";

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
