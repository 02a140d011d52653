import type { ReactNode } from "react";
import { guardPlace } from "#client/base/browser/click-guard.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { DisabledButton } from "#client/ui/disabled-button.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import type { ArmedAct } from "#src/show/hosting/contract.ts";
import { ActForm } from "../act-form.tsx";
import { disabledReasonForAct, disabledReasonForMove } from "../disabled-reason.ts";
import { useShow } from "../show-context.ts";
import { ArmedFields } from "./armed-fields.tsx";
import { armedTexts } from "./armed-text.ts";
import { useScripted } from "./use-scripted.ts";

type ArmButtonProps = {
  event: EventView;
  act: ArmedAct;
  className: string;
  hotkey?: string | undefined;
  /** What screen readers say, where the label is too short. */
  name?: string;
  /** The id of the text that says which event it acts on. */
  describedBy?: string;
  children: ReactNode;
};

/**
 * A button that arms a result or a skip: the slot then shows what it will do, and Enter does it. Without JavaScript the same
 * question is a dialog.
 */
export function ArmButton({ event, act, className, hotkey, name, describedBy, children }: ArmButtonProps) {
  const { session, events, arming } = useShow();
  const scripted = useScripted();
  const disabledReason =
    act === "skip"
      ? disabledReasonForAct(session, event, "skip")
      : disabledReasonForMove(session, event, "resolve");
  if (disabledReason !== null) {
    return (
      <DisabledButton className={className} disabledReason={disabledReason}>
        {children}
      </DisabledButton>
    );
  }
  if (!scripted) {
    const { title, label, intent, className: confirmClass } = armedTexts(events, event, act);
    return (
      <Confirm
        label={children}
        className={className}
        title={title}
        form={ActForm}
        act={{ label, intent, className: confirmClass }}
      >
        <p className="strong">{event.title}</p>
        <ArmedFields event={event} act={act} version={event.version} />
      </Confirm>
    );
  }
  const { armed } = arming;
  return (
    <button
      className={className}
      type="button"
      data-key={hotkey}
      aria-keyshortcuts={hotkey}
      aria-label={name}
      title={name}
      aria-describedby={describedBy}
      aria-pressed={armed?.event.id === event.id && armed.act === act}
      onClick={({ detail, currentTarget }) => {
        // What is armed comes where the finger is: the second press of a double click must not pay it.
        if (detail > 0) guardPlace(currentTarget);
        arming.arm(event, act);
      }}
    >
      {children}
    </button>
  );
}
