import { Field, type FieldErrors } from "../ui/field.tsx";
import type { SessionFields } from "./session-fields.ts";

type SettingFieldsProps = {
  fields: Pick<SessionFields, "leadSeconds" | "settlementDelaySeconds" | "smallRoom">;
  secondsMax: number;
  errors: FieldErrors;
};

/** The settings of a session, and of a blueprint for its sessions. */
export function SettingFields({ fields, secondsMax, errors }: SettingFieldsProps) {
  const seconds = { type: "number", inputMode: "numeric", min: 0, max: secondsMax, step: 1 } as const;
  return (
    <fieldset className="stack">
      <legend className="strong small">Settings</legend>
      <div className="pair">
        <Field
          label="Lead, seconds"
          name="lead_seconds"
          {...seconds}
          value={fields.leadSeconds}
          hint="So long before it opens players see an action."
          errors={errors["settings.leadSeconds"]}
        />
        <Field
          label="Settlement delay, seconds"
          name="settlement_delay_seconds"
          {...seconds}
          value={fields.settlementDelaySeconds}
          hint="So long a host can take a result back. Then it is paid."
          errors={errors["settings.settlementDelaySeconds"]}
        />
      </div>
      <label className="check">
        <input type="checkbox" name="small_room" value="1" defaultChecked={fields.smallRoom} />
        Small room: whoever runs the show may also call in it.
      </label>
    </fieldset>
  );
}
