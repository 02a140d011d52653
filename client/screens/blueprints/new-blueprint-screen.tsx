import { Link, useActionData, useLoaderData } from "react-router";
import * as texts from "#client/blueprints/blueprints-texts.ts";
import type { NewBlueprintData } from "#client/blueprints/load-blueprint.ts";
import { LeaveGuard } from "#client/ui/leave-guard.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useChanged } from "#client/ui/use-changed.ts";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { fieldsOf } from "./blueprint-fields.ts";
import { BlueprintForm } from "./blueprint-form.tsx";
import { BringForm, FromSessionForm } from "./bring-forms.tsx";
import type { BlueprintRefused } from "./create-blueprint.ts";

/** Creates a blueprint. Its events are added on the next page. */
export function NewBlueprintScreen() {
  const { blueprint, options, sessions } = useLoaderData<NewBlueprintData>();
  const { trueLabel, falseLabel, durationSeconds } = options.blueprintEvent;
  const refused = useActionData<BlueprintRefused>();
  const own = refused?.intent === "create" ? refused : undefined;
  const container = useErrorFocus<HTMLDivElement>(own);
  const { changed, form, onInput } = useChanged();
  return (
    <PageLayout title={texts.newBlueprint}>
      <div className="stack" ref={container}>
        {own === undefined ? null : <Note tone="bad">{own.refusal}</Note>}
        <BlueprintForm
          className="panel pad form"
          fields={own?.fields ?? fieldsOf(blueprint)}
          errors={own?.errors ?? {}}
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
      <div className="split even">
        <BringForm
          refused={refused?.intent === "import" ? refused : undefined}
          defaults={{ trueLabel, falseLabel, durationSeconds: String(durationSeconds) }}
        />
        <FromSessionForm
          sessions={sessions}
          refused={refused?.intent === "from_session" ? refused : undefined}
        />
      </div>
      <LeaveGuard when={changed} />
    </PageLayout>
  );
}
