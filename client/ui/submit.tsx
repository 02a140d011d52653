import type { MouseEvent, ReactNode } from "react";
import { useNavigation } from "react-router";
import { DisabledButton } from "./disabled-button.tsx";

type SubmitProps = {
  children: ReactNode;
  className?: string;
  /** The form's field `intent`, which says what to do where a form can do several things. */
  intent?: string;
  /** Why the button is disabled; null: it is enabled. */
  disabledReason?: string | null;
  /** The key that presses it ("P", "Space", "Plus"), where the page listens for hotkeys: see client/screens/show/show-screen.tsx. */
  hotkey?: string | undefined;
  /** The id of a text that says more about it, while there is one. */
  describedBy?: string | undefined;
  /** The form is being sent. By default: while the router sends a form with this intent. */
  busy?: boolean;
};

export function Submit({
  children,
  className = "btn primary",
  intent,
  disabledReason = null,
  hotkey,
  describedBy,
  busy,
}: SubmitProps) {
  const sending = useSending(intent);
  if (disabledReason !== null) {
    return (
      <DisabledButton className={className} disabledReason={disabledReason}>
        {children}
      </DisabledButton>
    );
  }
  const waiting = busy ?? sending;
  const named = intent === undefined ? {} : { name: "intent", value: intent };
  return (
    <button
      className={className}
      type="submit"
      {...named}
      data-key={hotkey}
      aria-keyshortcuts={hotkey}
      aria-describedby={describedBy}
      aria-busy={waiting}
      aria-disabled={waiting}
      onClick={waiting ? ignore : undefined}
    >
      {children}
    </button>
  );
}

/** True while the router sends a form with this intent, or without any. */
function useSending(intent: string | undefined): boolean {
  const { formData } = useNavigation();
  return formData !== undefined && (formData.get("intent") ?? undefined) === intent;
}

function ignore(event: MouseEvent): void {
  event.preventDefault();
}
