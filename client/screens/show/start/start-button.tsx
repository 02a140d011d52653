import { useViewer } from "#client/base/page/context.ts";
import { Checkbox } from "#client/ui/checkbox.tsx";
import { Field } from "#client/ui/field.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { say } from "#src/http/contract.ts";
import { SETTING_SECONDS_MAX } from "#src/show/sessions/contract.ts";
import { AskAct } from "../running/act-form.tsx";
import { disabledReasonForSessionMove } from "../running/disabled-reason.ts";
import { useShow } from "../running/show-context.ts";
import type { ActiveElsewhere } from "../running/show-state.ts";
import { type Check, Checks } from "./checklist.tsx";

type StartProps = {
  checks: readonly Check[];
  /** Where players are sent now; undefined: the page does not know. */
  activeElsewhere: ActiveElsewhere | null | undefined;
};

/** The one way to start a show: it asks with what is not as it should be, the lead, and whether players are sent here. */
export function StartButton({ checks, activeElsewhere }: StartProps) {
  const { session } = useShow();
  const open = checks.filter(({ tone }) => tone === "look");
  return (
    <AskAct
      label="Start"
      className="btn primary"
      disabledReason={disabledReasonForSessionMove(session, "start")}
      title={say`Start ${session.name}?`}
      act={{ label: "Start the show", intent: "start" }}
      cancelLabel="Not yet"
    >
      {open.length === 0 ? <p className="ink2">Everything is ready.</p> : <Checks checks={open} />}
      <Field
        label="The first action opens after, seconds"
        name="in_seconds"
        type="number"
        min={0}
        max={SETTING_SECONDS_MAX}
        value={String(session.settings.leadSeconds)}
        hint="Players read its question meanwhile."
      />
      <SendHere isActive={session.active} other={activeElsewhere} />
    </AskAct>
  );
}

/** A choice only where players are sent to another session that the viewer hosts too. They are taken from a live show only if the host says so. */
function SendHere({ isActive, other }: { isActive: boolean; other: StartProps["activeElsewhere"] }) {
  const viewer = useViewer();
  if (isActive || other == null) {
    return (
      <p className="small ink2">
        {isActive
          ? "Players who open the game are sent here already."
          : `Players who open the game are sent here from then on${other === null ? "" : ", unless they are sent to another session"}.`}
      </p>
    );
  }
  if (viewer === null || !rolesIn(viewer, other.id).includes("admin"))
    return (
      <p className="small ink2">{say`Players are sent to ${other.name}, which you do not host. An admin can send them here.`}</p>
    );
  return (
    <Checkbox name="activate" defaultChecked={other.state === "pending"}>
      <span>{say`Send players here instead of to ${other.name}`}</span>
    </Checkbox>
  );
}
