import { Field, type FieldErrors } from "../ui/field.tsx";
import type { SessionFields } from "./session-fields.ts";
import * as texts from "./session-form-texts.ts";

type SettingFieldsProps = {
  fields: Pick<
    SessionFields,
    "leadSeconds" | "settlementDelaySeconds" | "smallRoom" | "voidUncalled" | "houseDollar" | "chatApproval"
  >;
  secondsMax: number;
  errors: FieldErrors;
  /** The session has started: a small room stays one. */
  hasStarted?: boolean;
};

/** The settings of a session, and of a blueprint for its sessions. */
export function SettingFields({ fields, secondsMax, errors, hasStarted = false }: SettingFieldsProps) {
  const seconds = { type: "number", inputMode: "numeric", min: 0, max: secondsMax, step: 1 } as const;
  return (
    <fieldset className="stack">
      <legend className="strong small">{texts.settings}</legend>
      <div className="pair">
        <Field
          label={texts.leadSeconds}
          name="lead_seconds"
          {...seconds}
          value={fields.leadSeconds}
          hint={texts.leadHint}
          errors={errors["settings.leadSeconds"]}
        />
        <Field
          label={texts.settlementDelaySeconds}
          name="settlement_delay_seconds"
          {...seconds}
          value={fields.settlementDelaySeconds}
          hint={texts.settlementDelayHint}
          errors={errors["settings.settlementDelaySeconds"]}
        />
      </div>
      <label className="check">
        <input type="checkbox" name="void_uncalled" value="1" defaultChecked={fields.voidUncalled} />
        {texts.voidUncalled}
      </label>
      <label className="check">
        <input type="checkbox" name="house_dollar" value="1" defaultChecked={fields.houseDollar} />
        {texts.houseDollar}
      </label>
      <label className="check">
        <input type="checkbox" name="chat_approval" value="1" defaultChecked={fields.chatApproval} />
        {texts.chatApproval}
      </label>
      <label className="check">
        <input
          type="checkbox"
          name="small_room"
          value="1"
          defaultChecked={fields.smallRoom}
          disabled={hasStarted}
          aria-describedby={hasStarted ? "small-room-fixed" : undefined}
        />
        {texts.smallRoom}
      </label>
      {hasStarted ? (
        <p className="small ink2" id="small-room-fixed">
          {/* A disabled box is not sent. */}
          {fields.smallRoom ? <input type="hidden" name="small_room" value="1" /> : null}
          <span>{texts.settingsLocked}</span>
        </p>
      ) : null}
    </fieldset>
  );
}
