import { Icon } from "#client/ui/icon.tsx";
import type { EventResult } from "#db/lists/events.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { ArmButton } from "../arming/arm-button.tsx";
import { resultText } from "../arming/armed-text.ts";
import { KeyCap } from "../stage/key-cap.tsx";

export const resultIcons = { true: "true", false: "false", void: "none" } as const;
const keys = { true: "T", false: "F", void: "V" } as const;

/** A longer label is in smaller letters on two lines: one that is cut may be the wrong one. */
const LONG_LABEL = 14;

/** @param describedBy the id of the text that says which event the buttons act on. */
type VerdictProps = { event: EventView; describedBy: string };

/** Buttons that arm a result of an event. */
export function Verdict(props: VerdictProps) {
  return (
    <div className="trio">
      <Answer {...props} result="true" />
      <Answer {...props} result="false" />
      <Answer {...props} result="void" />
    </div>
  );
}

function Answer({ event, result, describedBy }: VerdictProps & { result: EventResult }) {
  return (
    <ArmButton
      event={event}
      act={result}
      className={`verdict ${result}`}
      hotkey={keys[result]}
      describedBy={describedBy}
    >
      <Icon name={resultIcons[result]} />
      <span className="words" data-len={resultText(event, result).length > LONG_LABEL ? "long" : undefined}>
        {resultText(event, result)}
      </span>
      <KeyCap name={keys[result]} />
    </ArmButton>
  );
}
