import { useEffect } from "react";
import * as texts from "#client/blueprints/editor-texts.ts";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { Submit } from "#client/ui/submit.tsx";
import { useChanged } from "#client/ui/use-changed.ts";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { fieldsOf } from "./blueprint-fields.ts";
import { BlueprintForm } from "./blueprint-form.tsx";
import { useEditor } from "./editor-context.ts";
import { Outcome, PanelFrame } from "./panel-frame.tsx";

/** Edits the blueprint itself: its name, and the settings of its sessions. */
export function BlueprintPanel({ onChanged }: { onChanged: (changed: boolean) => void }) {
  const { blueprint, panel } = useEditor();
  const { name, description, defaults } = blueprint;
  return (
    <PanelFrame title={texts.blueprint} shown={panel === "" || panel === "blueprint"}>
      {/* The key resets the form when the blueprint is saved, not when its events are. */}
      <Settings key={JSON.stringify([name, description, defaults])} onChanged={onChanged} />
    </PanelFrame>
  );
}

function Settings({ onChanged }: { onChanged: (changed: boolean) => void }) {
  const { blueprint, refused } = useEditor();
  const { changed, form, onInput } = useChanged();
  const ownRefusal = refused?.panel === "blueprint" ? refused : undefined;
  const holder = useErrorFocus<HTMLDivElement>(ownRefusal);
  useEffect(() => {
    onChanged(changed);
    return () => onChanged(false);
  }, [changed, onChanged]);
  return (
    <div className="stack" ref={holder}>
      <Outcome panel="blueprint" changed={changed} />
      <BlueprintForm
        className="stack"
        fields={ownRefusal?.blueprint ?? fieldsOf(blueprint)}
        errors={ownRefusal?.errors ?? {}}
        form={form}
        onInput={onInput}
      >
        <input type="hidden" name="panel" value="blueprint" />
        <input type="hidden" name={VERSION_FIELD} value={ownRefusal?.version ?? blueprint.version} />
        <div className="row wrap">
          <Submit intent="save_blueprint">{texts.save}</Submit>
          {changed ? <span className="unsaved small">{texts.notSaved}</span> : null}
        </div>
      </BlueprintForm>
    </div>
  );
}
