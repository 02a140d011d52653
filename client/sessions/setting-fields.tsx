import { Field, type FieldErrors } from "../ui/field.tsx";
import * as texts from "./session-form-texts.ts";
import type { SettingValues } from "./setting-values.ts";

type SettingFieldsProps = {
  fields: SettingValues;
  secondsMax: number;
  errors: FieldErrors;
  /** Why a small room stays one, or none. */
  smallRoomFixed?: string | undefined;
};

/** The settings of a session, and of a blueprint for its sessions. */
export function SettingFields({ fields, secondsMax, errors, smallRoomFixed }: SettingFieldsProps) {
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
      <Box name="private" label={texts.isPrivate} checked={fields.private} />
      <Box name="void_uncalled" label={texts.voidUncalled} checked={fields.voidUncalled} />
      <Box name="house_dollar" label={texts.houseDollar} checked={fields.houseDollar} />
      <Box name="chat_approval" label={texts.chatApproval} checked={fields.chatApproval} />
      <label className="check">
        <input
          type="checkbox"
          name="small_room"
          value="1"
          defaultChecked={fields.smallRoom}
          disabled={smallRoomFixed !== undefined}
          aria-describedby={smallRoomFixed === undefined ? undefined : "small-room-fixed"}
        />
        {texts.smallRoom}
      </label>
      {smallRoomFixed === undefined ? null : (
        <p className="small ink2" id="small-room-fixed">
          {/* A disabled box is not sent. */}
          {fields.smallRoom ? <input type="hidden" name="small_room" value="1" /> : null}
          <span>{smallRoomFixed}</span>
        </p>
      )}
    </fieldset>
  );
}

function Box({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value="1" defaultChecked={checked} />
      {label}
    </label>
  );
}
