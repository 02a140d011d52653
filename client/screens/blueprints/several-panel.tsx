import { Form, Link } from "react-router";
import * as texts from "#client/blueprints/editor-texts.ts";
import { Choice } from "#client/ui/choice.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { startModes } from "#db/lists/events.ts";
import { startModeLabel } from "#src/show/events/contract.ts";
import type { EditRefused } from "./change-blueprint.ts";
import { useEditor } from "./editor-context.ts";
import { Outcome, PanelFrame } from "./panel-frame.tsx";
import { panelLink } from "./panel.ts";

/** Changes several events at once: what is filled in. */
export function SeveralPanel() {
  const { panel, chosen } = useEditor();
  if (panel !== "several") return null;
  return (
    <PanelFrame title={texts.several(chosen.size)} shown>
      {chosen.size === 0 ? <NoneChosen /> : <SeveralForm />}
    </PanelFrame>
  );
}

function NoneChosen() {
  return (
    <>
      <p className="small ink2">{texts.noneChosenHint}</p>
      <Link className="btn" {...panelLink("")}>
        {texts.backToList}
      </Link>
    </>
  );
}

const seconds = [
  { name: "durationSeconds", label: texts.openForSeconds },
  { name: "offsetSeconds", label: texts.waitSeconds },
  { name: "resolveWithinSeconds", label: texts.resultWithinSeconds },
] as const;

function SeveralForm() {
  const { chosen, refused } = useEditor();
  const own = refused?.panel === "several" ? refused : undefined;
  const holder = useErrorFocus<HTMLDivElement>(own);
  return (
    <div className="stack" ref={holder}>
      <Outcome panel="several" changed={false} />
      <p className="small ink2">{texts.severalHint}</p>
      <Form method="post" className="stack">
        <CsrfField />
        <input type="hidden" name="panel" value="several" />
        {[...chosen].map((id) => (
          <input key={id} type="hidden" name="chosen" value={id} />
        ))}
        <SeveralFields refused={own} />
        <div className="row save-row">
          <Submit intent="save_several">{texts.saveSeveral(chosen.size)}</Submit>
        </div>
      </Form>
    </div>
  );
}

function SeveralFields({ refused: own }: { refused: EditRefused | undefined }) {
  const typed = (name: keyof EditRefused["fields"]) => own?.fields[name] ?? "";
  // The API names the event of an error; here it is the field that counts.
  const errorsOf = (name: string) =>
    Object.entries(own?.errors ?? {}).find(([field]) => field === name || field.endsWith(`.${name}`))?.[1];
  const unchanged = { placeholder: texts.unchanged, optional: true } as const;
  return (
    <>
      <Choice
        label={texts.starts}
        name="startMode"
        value={typed("startMode")}
        options={[
          { value: "", label: texts.unchanged },
          ...startModes.map((value) => ({ value, label: startModeLabel(value) })),
        ]}
        errors={errorsOf("startMode")}
      />
      {seconds.map(({ name, label }) => (
        <Field
          key={name}
          {...unchanged}
          label={label}
          name={name}
          inputMode="numeric"
          value={typed(name)}
          errors={errorsOf(name)}
        />
      ))}
      <div className="pair tight">
        <Field
          {...unchanged}
          label={texts.leastWagerDollars}
          name="minWager"
          inputMode="decimal"
          value={typed("minWager")}
          errors={errorsOf("minWager")}
        />
        <Field
          {...unchanged}
          label={texts.mostPerPlayerDollars}
          name="maxWager"
          value={typed("maxWager")}
          hint={texts.noLimitHint}
          errors={errorsOf("maxWager")}
        />
      </div>
    </>
  );
}
