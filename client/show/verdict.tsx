import type { EventResult } from "#db/lists/events.ts";
import type { EventView } from "#src/events/schemas.ts";
import { Icon } from "../ui/icon.tsx";
import { Decide, resultText } from "./decide.tsx";
import { KeyCap } from "./key-cap.tsx";

const icons = { true: "true", false: "false", void: "none" } as const;
const keys = { true: "T", false: "F", void: "V" } as const;

/** Buttons that resolve the event. Each opens a dialog that shows what the result will pay. */
export function Verdict({ event }: { event: EventView }) {
  return (
    <section className="panel pad stack" aria-label="Resolve">
      <h3 className="small">{event.state === "resolved" ? "Correct the result" : "Resolve"}</h3>
      <div className="trio">
        <Answer event={event} result="true" />
        <Answer event={event} result="false" />
        <Answer event={event} result="void" />
      </div>
    </section>
  );
}

function Answer({ event, result }: { event: EventView; result: EventResult }) {
  return (
    <Decide event={event} result={result} className={`verdict ${result}`} hotkey={keys[result]}>
      <Icon name={icons[result]} />
      <span className="clip">{resultText(event, result)}</span>
      <KeyCap name={keys[result]} />
    </Decide>
  );
}
