import { Link, useActionData, useLoaderData } from "react-router";
import type { NewBlueprintAnswer } from "#src/blueprints/schemas.ts";
import { LeaveGuard } from "../ui/leave-guard.tsx";
import { Note } from "../ui/note.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { useChanged } from "../ui/use-changed.ts";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { fieldsOf } from "./blueprint-fields.ts";
import { BlueprintForm } from "./blueprint-form.tsx";
import * as texts from "./blueprints-texts.ts";
import type { BlueprintRefused } from "./create-blueprint.ts";

/** Creates a blueprint. Its events are added on the next page. */
export function NewBlueprintScreen() {
  const { blueprint } = useLoaderData<NewBlueprintAnswer>();
  const refused = useActionData<BlueprintRefused>();
  const container = useErrorFocus<HTMLDivElement>(refused);
  const { changed, form, onInput } = useChanged();
  return (
    <PageLayout title={texts.newBlueprint}>
      <div className="stack" ref={container}>
        {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <BlueprintForm
          className="panel pad form"
          fields={refused?.fields ?? fieldsOf(blueprint)}
          errors={refused?.errors ?? {}}
          form={form}
          onInput={onInput}
        >
          <div className="row wrap">
            <Submit>{texts.continueButton}</Submit>
            <Link className="btn" to="/blueprints">
              {texts.cancel}
            </Link>
          </div>
        </BlueprintForm>
      </div>
      <LeaveGuard when={changed} />
    </PageLayout>
  );
}
