import { useViewer } from "#client/base/page/context.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field } from "#client/ui/field.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { SETTING_SECONDS_MAX } from "#src/show/sessions/contract.ts";
import { ActForm } from "../act-form.tsx";
import { disabledReasonForSessionMove } from "../disabled-reason.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/start-texts.ts";
import { keyOf } from "../use-acting.ts";
import type { ActiveElsewhere, Check } from "./checklist.ts";
import { Checks } from "./checks.tsx";

type StartProps = { checks: readonly Check[]; activeElsewhere: ActiveElsewhere | null };

/** The one way to start a show: it asks with what is not as it should be, the lead, and whether players are sent here. */
export function StartButton({ checks, activeElsewhere }: StartProps) {
  const { session, acting } = useShow();
  const open = checks.filter(({ tone }) => tone === "look");
  return (
    <Confirm
      label={texts.start}
      className="btn primary"
      disabledReason={disabledReasonForSessionMove(session, "start")}
      title={texts.startTitle(session.name)}
      form={ActForm}
      act={{ label: texts.startConfirm, intent: "start", busy: acting.busy.has(keyOf("start", "")) }}
      cancelLabel={texts.startCancel}
    >
      {open.length === 0 ? <p className="ink2">{texts.allReady}</p> : <Checks checks={open} />}
      <Field
        label={texts.leadLabel}
        name="in_seconds"
        type="number"
        min={0}
        max={SETTING_SECONDS_MAX}
        value={String(session.settings.leadSeconds)}
        hint={texts.leadHint}
      />
      <SendHere isActive={session.active} other={activeElsewhere} />
    </Confirm>
  );
}

/** A choice only where players are sent to another session that the viewer hosts too. They are taken from a live show only if the host says so. */
function SendHere({ isActive, other }: { isActive: boolean; other: ActiveElsewhere | null }) {
  const viewer = useViewer();
  if (isActive || other === null) {
    return <p className="small ink2">{isActive ? texts.sentHereNow : texts.sentHereThen}</p>;
  }
  if (viewer === null || !rolesIn(viewer, other.id).includes("admin"))
    return <p className="small ink2">{texts.sentElsewhere(other.name)}</p>;
  return (
    <label className="check">
      <input type="checkbox" name="activate" value="1" defaultChecked={other.state === "pending"} />
      <span>{texts.sendHere(other.name)}</span>
    </label>
  );
}
