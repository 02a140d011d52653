import { useEffect } from "react";
import { VERSION_FIELD } from "../base-version.ts";
import { Submit } from "../ui/submit.tsx";
import { useChanged } from "../ui/use-changed.ts";
import { useFirstError } from "../ui/use-first-error.ts";
import { fieldsOf } from "./blueprint-fields.ts";
import { BlueprintForm } from "./blueprint-form.tsx";
import { useEditor } from "./editor-context.ts";
import { Outcome, PanelFrame } from "./panel-frame.tsx";

/** The blueprint itself: its name, and what its sessions start with. */
export function BlueprintPanel({ tellChanged }: { tellChanged: (changed: boolean) => void }) {
  const { blueprint, panel } = useEditor();
  const { name, description, defaults } = blueprint;
  return (
    <PanelFrame title="Blueprint" shown={panel === "" || panel === "blueprint"}>
      {/* Saved by somebody, it starts anew; saved events leave it alone. */}
      <Settings key={JSON.stringify([name, description, defaults])} tellChanged={tellChanged} />
    </PanelFrame>
  );
}

function Settings({ tellChanged }: { tellChanged: (changed: boolean) => void }) {
  const { blueprint, refused } = useEditor();
  const { changed, form, onInput } = useChanged();
  const mine = refused?.panel === "blueprint" ? refused : undefined;
  const holder = useFirstError<HTMLDivElement>(mine);
  useEffect(() => {
    tellChanged(changed);
    return () => tellChanged(false);
  }, [changed, tellChanged]);
  return (
    <div className="stack" ref={holder}>
      <Outcome panel="blueprint" changed={changed} />
      <BlueprintForm
        className="stack"
        fields={mine?.blueprint ?? fieldsOf(blueprint)}
        errors={mine?.errors ?? {}}
        form={form}
        onInput={onInput}
      >
        <input type="hidden" name="panel" value="blueprint" />
        <input type="hidden" name={VERSION_FIELD} value={mine?.version ?? blueprint.version} />
        <div className="row wrap">
          <Submit intent="save_blueprint">Save</Submit>
          {changed ? <span className="unsaved small">Not saved</span> : null}
        </div>
      </BlueprintForm>
    </div>
  );
}
