import { useDeferredValue, useState } from "react";
import { data, useActionData, useLoaderData } from "react-router";
import * as words from "#client/base/format/words.ts";
import type { ActionArgs } from "#client/base/page/handle.ts";
import type { NewBlueprintData } from "#client/blueprints/load-blueprint.ts";
import { readSoFar } from "#client/blueprints/paste-texts.ts";
import { Choice } from "#client/ui/choice.tsx";
import { Field } from "#client/ui/field.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { readForm } from "#client/ui/forms/read-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { LeaveGuard } from "#client/ui/leave-guard.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, ButtonLink } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useChanged } from "#client/ui/use-changed.ts";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { AssistantPrompt } from "./assistant-prompt.tsx";
import { type BlueprintFields, blueprintIn, fieldsIn, fieldsOf } from "./blueprint-fields.ts";
import { BlueprintForm } from "./blueprint-form.tsx";
import { FileChoice, usePlanFile } from "./file-choice.tsx";
import { PastePreview } from "./paste-preview.tsx";
import { refusedInEditor } from "./refused-in-editor.ts";
import { usePlanPreview } from "./use-plan-preview.ts";

const BRING = "From a file or a list";

/** Creates a blueprint. Its events are added on the next page. */
export function NewBlueprintScreen() {
  const { blueprint, options, sessions } = useLoaderData<NewBlueprintData>();
  const { trueLabel, falseLabel, durationSeconds } = options.blueprintEvent;
  const refused = useActionData<BlueprintRefused>();
  const own = refused?.intent === "create" ? refused : undefined;
  const container = useErrorFocus<HTMLDivElement>(own);
  const { changed, form, onInput } = useChanged();
  return (
    <PageLayout
      title={words.newBlueprint}
      actions={
        <a className="btn" href="#bring">
          {BRING}
        </a>
      }
    >
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
            <Submit>Go on to the actions</Submit>
            <ButtonLink to="/blueprints">{words.cancel}</ButtonLink>
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

type FormProps = { refused: BlueprintRefused | undefined };

type BringFormProps = FormProps & { defaults: Parameters<typeof PastePreview>[0]["defaults"] };

/** Makes a blueprint from an exported one, or from a list of questions, which is shown as it was read. */
function BringForm({ refused, defaults }: BringFormProps) {
  const [text, setText] = useState(refused?.text ?? "");
  const { chosen, fault, take, dropping } = usePlanFile(setText);
  const preview = usePlanPreview(useDeferredValue(text));
  const { lines, leftOut, rows } = preview;
  const count = lines.filter(({ isOut }) => !isOut).length;
  return (
    <PostForm className="panel pad stack" fields={{ rows }} refused={refused} {...dropping}>
      <h2 className="panel-title" id="bring" tabIndex={-1}>
        {BRING}
      </h2>
      <p className="small ink2">
        A workbook (.xlsx, .ods), a CSV file, a blueprint that was exported, or a list: cells of a
        spreadsheet, or one question a line. What was exported knows what it is called.
      </p>
      <Refusal refused={refused} />
      {fault === null ? null : <Note tone="bad">{fault}</Note>}
      {preview.fault === null ? null : <Note tone="warn">{preview.fault}</Note>}
      <Field
        label="Text"
        id="bring-text"
        name="text"
        type="textarea"
        rows={4}
        value={text}
        onValue={setText}
        errors={refused?.errors["text"]}
      />
      <FileChoice chosen={chosen} take={take} />
      <AssistantPrompt />
      {lines.length + leftOut.length === 0 ? null : (
        <p className="small ink2" role="status">
          {readSoFar(count, leftOut.length + lines.length - count)}
        </p>
      )}
      <PastePreview preview={preview} defaults={defaults} />
      <Field
        label="Call it"
        id="bring-name"
        name="name"
        optional
        maxLength={blueprintLimits.nameLengthMax}
        value={refused?.fields.name ?? ""}
        errors={refused?.errors["name"]}
      />
      <div className="row">
        <Submit intent="import" className="btn">
          Bring it in
        </Submit>
      </div>
    </PostForm>
  );
}

/** Makes a blueprint from what a session has asked. Hidden while no session is over. */
function FromSessionForm({ sessions, refused }: FormProps & { sessions: readonly SessionView[] }) {
  if (sessions.length === 0) return null;
  return (
    <PostForm className="panel pad stack" refused={refused}>
      <h2 className="panel-title">From a past session</h2>
      <p className="small ink2">All that it asked, with its settings, as a new blueprint.</p>
      <Refusal refused={refused} />
      <Choice
        label={words.session}
        name="session"
        options={sessions.map(({ slug, name }) => ({ value: slug, label: name }))}
        errors={refused?.errors["session"]}
      />
      <div className="row">
        <Submit intent="from_session" className="btn">
          Make a blueprint of it
        </Submit>
      </div>
    </PostForm>
  );
}

/** Why the form of a new blueprint was refused, and what was typed. */
type BlueprintRefused = Refused & { intent: string; fields: BlueprintFields; text: string };

/** Creates the blueprint, alone or from a text or a session, by the form's `intent`, and redirects to its editor. */
export async function createBlueprint({ api, request }: ActionArgs) {
  const form = await request.formData();
  const { intent, text, rows, name, session } = readForm(form, {
    intent: "text",
    text: "text",
    rows: "text",
    name: "optional",
    session: "text",
  });
  try {
    if (intent === "import") {
      // The lines as they were corrected on the page.
      const list = rows === "" ? text : rows;
      const { blueprint } = await api.post("/api/v1/blueprints/import", { blueprint: { text: list, name } });
      return seeOther(`/blueprints/${blueprint.id}/edit?said=brought`);
    }
    if (intent === "from_session") {
      const { blueprint } = await api.post("/api/v1/blueprints/from_session", { blueprint: { session } });
      return seeOther(`/blueprints/${blueprint.id}/edit?said=brought`);
    }
    const { blueprint } = await api.post("/api/v1/blueprints", { blueprint: blueprintIn(form) });
    return seeOther(`/blueprints/${blueprint.id}/edit?panel=paste&said=created`);
  } catch (error) {
    const { status, ...refused } = refusedInEditor(error);
    return data<BlueprintRefused>(
      { ...refused, intent: intent || "create", text, fields: fieldsIn(form) },
      { status },
    );
  }
}
