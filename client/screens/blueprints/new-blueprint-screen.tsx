import { Link, useActionData, useLoaderData } from "react-router";
import * as texts from "#client/blueprints/blueprints-texts.ts";
import { LeaveGuard } from "#client/ui/leave-guard.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useChanged } from "#client/ui/use-changed.ts";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import type { NewBlueprintAnswer } from "#src/show/blueprints/schemas.ts";
import { fieldsOf } from "./blueprint-fields.ts";
import { BlueprintForm } from "./blueprint-form.tsx";
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
