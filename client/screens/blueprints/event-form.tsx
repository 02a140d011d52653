import * as texts from "#client/blueprints/editor-texts.ts";
import { Choice } from "#client/ui/choice.tsx";
import { Field } from "#client/ui/field.tsx";
import { autoResults } from "#db/lists/events.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { autoResultLabel } from "#src/show/events/contract.ts";
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
        label={texts.question}
        type="textarea"
        maxLength={titleLengthMax}
        hint={texts.lengthOfMax(fields.title.length, titleLengthMax)}
        {...title}
        onValue={(value) => title.onValue(value.replaceAll(/\s*[\r\n]+\s*/g, " "))}
      />
      <div className="pair tight">
        <Field label={texts.trueLabel} maxLength={labelLengthMax} {...bind("trueLabel")} />
        <Field label={texts.falseLabel} maxLength={labelLengthMax} {...bind("falseLabel")} />
      </div>
      <EventStart fields={fields} bind={bind} />
      <More fields={fields} errors={errors} bind={bind} />
    </>
  );
}

type MoreProps = Pick<Editing, "fields" | "errors"> & { bind: Bind };

/** Fields that most events leave unchanged. Opens by itself if one of them has an error. */
function More({ fields, errors, bind }: MoreProps) {
  const { resolveWithinSecondsMax, descriptionLengthMax } = blueprintLimits;
  const inside = ["description", "resolveWithinSeconds", "minWager", "maxWager", "autoResult"];
  const byItself = fields.autoResult !== "";
  return (
    <details className="more" open={inside.some((name) => name in errors) || undefined}>
      <summary>{texts.moreFields}</summary>
      <div className="stack">
        <div className="pair tight">
          <Field label={texts.leastWagerDollars} inputMode="decimal" {...bind("minWager")} />
          <Field
            label={texts.mostPerPlayerDollars}
            inputMode="decimal"
            optional
            placeholder={texts.noLimit}
            {...bind("maxWager")}
          />
        </div>
        <div className="pair tight">
          <Choice label={texts.result} options={resultOptions} {...bind("autoResult")} />
          <Field
            label={texts.resultWithinSeconds}
            type="number"
            inputMode="numeric"
            min={0}
            max={resolveWithinSecondsMax}
            step={1}
            hint={byItself ? texts.resolvesAfterHint : texts.lateAfterHint}
            {...bind("resolveWithinSeconds")}
          />
        </div>
        <Field
          label={texts.description}
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
  { value: "", label: texts.byHand },
  ...autoResults.map((value) => ({ value, label: texts.byItself(autoResultLabel(value)) })),
];
