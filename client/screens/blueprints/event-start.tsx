import * as texts from "#client/blueprints/editor-texts.ts";
import { type EventFields, isStartMode } from "#client/blueprints/event-fields.ts";
import { Field } from "#client/ui/field.tsx";
import { startHint } from "#client/ui/start-texts.ts";
import { startModes } from "#db/lists/events.ts";
import { blueprintLimits, offeredDurations } from "#src/show/blueprints/contract.ts";
import { startModeLabel } from "#src/show/events/contract.ts";
import type { Bind } from "./bind-fields.ts";

/** Fields for when an event opens, and for how long. */
export function EventStart({ fields, bind }: { fields: EventFields; bind: Bind }) {
  const { durationSecondsMin, durationSecondsMax, offsetSecondsMax } = blueprintLimits;
  const seconds = { type: "number", inputMode: "numeric", step: 1 } as const;
  const { startMode } = fields;
  const mode = bind("startMode");
  const duration = bind("durationSeconds");
  return (
    <>
      <div className="stack close">
        <div className="pair tight">
          <Field
            label={texts.openForSeconds}
            {...seconds}
            min={durationSecondsMin}
            max={durationSecondsMax}
            {...duration}
          />
          {startMode === "by_hand" ? (
            <input type="hidden" name={bind("offsetSeconds").name} value={fields.offsetSeconds} />
          ) : (
            <Field
              label={startMode === "offset" ? texts.offsetSeconds : texts.waitSeconds}
              {...seconds}
              min={0}
              max={offsetSecondsMax}
              {...bind("offsetSeconds")}
            />
          )}
        </div>
        <UsualDurations chosen={fields.durationSeconds} choose={duration.onValue} />
      </div>
      <fieldset className="field" aria-describedby="starts-hint">
        <legend className="label">{texts.starts}</legend>
        <div className="seg full pairs">
          {startModes.map((value) => (
            <label key={value}>
              <input
                className="vh"
                type="radio"
                name={mode.name}
                value={value}
                checked={startMode === value}
                onChange={() => mode.onValue(value)}
              />
              {startModeLabel(value)}
            </label>
          ))}
        </div>
        <span className="hint" id="starts-hint">
          {isStartMode(startMode) ? startHint(startMode) : null}
        </span>
      </fieldset>
    </>
  );
}

/** Buttons for the usual durations. */
function UsualDurations({ chosen, choose }: { chosen: string; choose: (seconds: string) => void }) {
  return (
    <div className="seg full with-script" role="group" aria-label={texts.usualDurations}>
      {offeredDurations.map((seconds) => (
        <button
          key={seconds}
          type="button"
          aria-pressed={chosen === String(seconds)}
          aria-label={texts.secondsOf(seconds)}
          onClick={() => choose(String(seconds))}
        >
          {seconds}
        </button>
      ))}
    </div>
  );
}
