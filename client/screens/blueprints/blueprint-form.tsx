import type { InputEvent, ReactNode, Ref } from "react";
import { Form } from "react-router";
import * as words from "#client/base/format/words.ts";
import { SettingFields, TeamNamesField } from "#client/sessions/setting-fields.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { type BlueprintFields, settingErrors } from "./blueprint-fields.ts";

type BlueprintFormProps = {
  fields: BlueprintFields;
  errors: FieldErrors;
  className: string;
  form: Ref<HTMLFormElement>;
  onInput: (event: InputEvent<HTMLFormElement>) => void;
  /** Hidden fields and the buttons. */
  children: ReactNode;
};

export function BlueprintForm({ fields, errors, className, form, onInput, children }: BlueprintFormProps) {
  const { nameLengthMax, descriptionLengthMax, settingSecondsMax } = blueprintLimits;
  const bind = boundTo({ ...fields, errors });
  return (
    <Form method="post" className={className} ref={form} onInput={onInput}>
      <CsrfField />
      <Field label={words.name} maxLength={nameLengthMax} {...bind("name")} />
      <Field
        label={words.description}
        type="textarea"
        optional
        maxLength={descriptionLengthMax}
        {...bind("description")}
      />
      <TeamNamesField value={fields.teams} errors={settingErrors(errors)} />
      <SettingFields fields={fields} secondsMax={settingSecondsMax} errors={settingErrors(errors)} />
      {children}
    </Form>
  );
}
