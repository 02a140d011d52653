import { useEffect, useRef } from "react";
import { Link, useLoaderData, useRevalidator } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { WAVE_MINUTES } from "#src/show/join-codes/contract.ts";
import type { Wave } from "#src/show/join-codes/schemas.ts";
import { Act, ActForm } from "../act-form.tsx";
import { type ShowPage, WAVES } from "../load-show.ts";
import { useShow } from "../show-context.ts";
import { keyOf } from "../use-acting.ts";

const DOOR_ID = "door";
const REMOVE = "removeWave";
const RESTORE = "restoreWave";
const ofWaves: readonly string[] = ["remove_wave", "restore_wave"];

/** Who comes in: the lock of the room, what the brake holds back, and the removal of all who came together. */
export function Door({ held }: { held: number }) {
  const { session } = useShow();
  const { waves } = useLoaderData<ShowPage>();
  useFollowingWaves(waves !== null);
  if (session.state === "stopped") return null;
  const { locked } = session.settings;
  return (
    <section className="panel" aria-labelledby={DOOR_ID}>
      <header>
        <h2 id={DOOR_ID}>Door</h2>
      </header>
      <div className="pad-row stack">
        <p className="small ink2" role="status">
          {locked
            ? "Locked: who is in plays on, and nobody else comes in."
            : "Open to all with the code or the link."}
          {held === 0 ? null : (
            <b className="bad">{` ${countOf(held, "guest")} held back: they come faster than people walk in.`}</b>
          )}
        </p>
        <div className="row wrap">
          <Act intent={locked ? "unlock" : "lock"} disabledReason={null} className="btn sm">
            {locked ? "Unlock the room" : "Lock the room"}
          </Act>
          <Link className="btn sm" to={`?${WAVES}=1`} preventScrollReset>
            {waves === null ? "Who came together" : "Look again"}
          </Link>
        </div>
      </div>
      {waves === null ? null : (
        <ul className="readings" aria-label="Who came together">
          {waves.arrived.length === 0 ? (
            <li className="small ink2">{`Nobody in the last ${WAVE_MINUTES} minutes.`}</li>
          ) : null}
          {waves.arrived.map((wave) => (
            <Arrived key={wave.id} wave={wave} until={waves.meta.serverTime} />
          ))}
          {waves.removed.map((wave) => (
            <Removed key={wave.id} wave={wave} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** After an act on waves, also of another host, the list is another one. */
function useFollowingWaves(isShown: boolean): void {
  const { audit } = useShow();
  const { revalidate } = useRevalidator();
  const newest = audit.find(({ action }) => ofWaves.includes(action))?.id ?? 0;
  const known = useRef(newest);
  useEffect(() => {
    if (known.current === newest) return;
    known.current = newest;
    if (isShown) void revalidate();
  }, [newest, isShown, revalidate]);
}

function Arrived({ wave: { id, count, usernames, at }, until }: { wave: Wave; until: string }) {
  const { acting } = useShow();
  const zone = useTimeZone();
  const players = countOf(count, "player");
  return (
    <li className="row wrap">
      <span className="small">{`${players} from one network, the last at ${formatClock(at, zone)}`}</span>
      <span className="push">
        <Confirm
          label={
            <>
              <span>{words.remove}</span>{" "}
              <span className="vh">{`${players}: ${usernames.slice(0, 3).join(", ")}`}</span>
            </>
          }
          className="btn sm bad"
          title={`Remove ${players} who came from one network?`}
          form={ActForm}
          act={{
            label: `Remove ${players}`,
            intent: REMOVE,
            className: "btn bad",
            busy: acting.busy.has(keyOf(REMOVE, "")),
          }}
        >
          <input type="hidden" name="wave" value={id} />
          <input type="hidden" name="until" value={until} />
          <Names usernames={usernames} count={count} />
          <p>
            The show does not exist for them until there is a newer code. Calls and results stay. It can be
            undone here. A pub or a school is one network too: lock the room first if more are coming.
          </p>
        </Confirm>
      </span>
    </li>
  );
}

function Removed({ wave: { id, count, usernames, at } }: { wave: Wave }) {
  const zone = useTimeZone();
  return (
    <li className="row wrap">
      <span className="small">{`${countOf(count, "player")} removed at ${formatClock(at, zone)}`}</span>
      <span className="push">
        <Act intent={RESTORE} disabledReason={null} className="btn sm" fields={{ wave: id }}>
          {words.undo}
          <span className="vh">{`: let ${usernames.slice(0, 3).join(", ")} in again`}</span>
        </Act>
      </span>
    </li>
  );
}

function Names({ usernames, count }: Pick<Wave, "usernames" | "count">) {
  const others = count - usernames.length;
  return (
    <p className="wrap-anywhere" translate="no">
      {[...usernames, ...(others > 0 ? [`${others} more`] : [])].join(", ")}
    </p>
  );
}
