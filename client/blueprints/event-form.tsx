import { autoResults } from "#db/lists/events.ts";
import { blueprintLimits } from "#src/blueprints/contract.ts";
import { autoResultLabels } from "#src/events/contract.ts";
import { Choice } from "../ui/choice.tsx";
import { Field } from "../ui/field.tsx";
import { type Bind, bindFields, type Editing } from "./bind-fields.ts";
import { EventStart } from "./event-start.tsx";

/** The fields of a blueprint's event. */
export function EventForm(form: Editing) {
  const { fields, errors } = form;
  const bind = bindFields(form);
  const { titleLengthMax, labelLengthMax } = blueprintLimits;
  const title = bind("title");
  return (
    <>
      <Field
        label="Question"
        type="textarea"
        maxLength={titleLengthMax}
        hint={`${fields.title.length} of ${titleLengthMax}`}
        {...title}
        onValue={(value) => title.onValue(value.replaceAll(/\s*[\r\n]+\s*/g, " "))}
      />
      <div className="pair tight">
        <Field label="True Label" maxLength={labelLengthMax} {...bind("trueLabel")} />
        <Field label="False Label" maxLength={labelLengthMax} {...bind("falseLabel")} />
      </div>
      <EventStart fields={fields} bind={bind} />
      <More fields={fields} errors={errors} bind={bind} />
    </>
  );
}

type MoreProps = Pick<Editing, "fields" | "errors"> & { bind: Bind };

/** Fields that most events leave unchanged. Opens by itself if one of them has an error. */
function More({ fields, errors, bind }: MoreProps) {
  const { resolveWithinSecondsMax, wagerMax, descriptionLengthMax } = blueprintLimits;
  const inside = ["description", "resolveWithinSeconds", "minWager", "maxWager", "autoResult"];
  const dollars = { type: "number", inputMode: "decimal", min: 0.01, max: wagerMax, step: 0.01 } as const;
  const byItself = fields.autoResult !== "";
  return (
    <details className="more" open={inside.some((name) => name in errors) || undefined}>
      <summary>Limits, result, description</summary>
      <div className="stack">
        <div className="pair tight">
          <Field label="Least wager, $" {...dollars} {...bind("minWager")} />
          <Field
            label="Most per player, $"
            {...dollars}
            optional
            placeholder="No limit"
            {...bind("maxWager")}
          />
        </div>
        <div className="pair tight">
          <Choice label="Result" options={resultOptions} {...bind("autoResult")} />
          <Field
            label="Result within, seconds"
            type="number"
            inputMode="numeric"
            min={0}
            max={resolveWithinSecondsMax}
            step={1}
            hint={byItself ? "So long after its close it resolves." : "So long after its close it is late."}
            {...bind("resolveWithinSeconds")}
          />
        </div>
        <Field
          label="Description"
          type="textarea"
          optional
          maxLength={descriptionLengthMax}
          {...bind("description")}
        />
      </div>
    </details>
  );
}

const resultOptions = [
  { value: "", label: "By hand" },
  ...autoResults.map((value) => ({ value, label: `By itself: ${autoResultLabels[value]}` })),
];
