import type { MouseEvent, ReactNode } from "react";
import { useNavigation } from "react-router";
import { DisabledButton } from "./disabled-button.tsx";

type SubmitProps = {
  children: ReactNode;
  className?: string;
  /** What the form is to do, where it can do several things: its field `intent`. */
  intent?: string;
  /** Why it cannot be pressed now; null: it can. */
  why?: string | null;
  /** The key that presses it ("P", "Space", "Plus"), where the page listens for such: see client/show/use-hotkeys.ts. */
  hotkey?: string | undefined;
  /** The form is on its way. Where this is left out: while the router sends a form with this intent. */
  busy?: boolean;
};

/** The button that sends a form. While the form is on its way it stays where it is and sends nothing again. */
export function Submit({
  children,
  className = "btn primary",
  intent,
  why = null,
  hotkey,
  busy,
}: SubmitProps) {
  const sending = useSending(intent);
  if (why !== null) {
    return (
      <DisabledButton className={className} why={why}>
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
