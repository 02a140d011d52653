import * as words from "#client/base/format/words.ts";
import { TEAM_NAME_LENGTH_MAX, teamNumbers, TEAMS_MIN } from "#db/lists/teams.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Field, type FieldErrors } from "../ui/field.tsx";
import type { SettingValues } from "./setting-values.ts";

type SettingFieldsProps = {
  fields: SettingValues;
  secondsMax: number;
  errors: FieldErrors;
  /** Why a small room stays one, or none. */
  smallRoomFixed?: string | undefined;
};

export function SettingFields({ fields, secondsMax, errors, smallRoomFixed }: SettingFieldsProps) {
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
          hint="Players see an action this many seconds before it opens."
          errors={errors["settings.leadSeconds"]}
        />
        <Field
          label="Settlement delay, seconds"
          name="settlement_delay_seconds"
          {...seconds}
          value={fields.settlementDelaySeconds}
          hint="A result is paid this many seconds after it. Until then a host can take it back."
          errors={errors["settings.settlementDelaySeconds"]}
        />
      </div>
      <Checkbox name="private" defaultChecked={fields.private}>
        Private: only those with its code or link find it. It is in no list for others.
      </Checkbox>
      <Checkbox name="void_uncalled" defaultChecked={fields.voidUncalled}>
        Actions that nobody called settle themselves: void, when the time for their result is over.
      </Checkbox>
      <Checkbox name="house_dollar" defaultChecked={fields.houseDollar}>
        On the house: who has run out of play money may call each action with $1.
      </Checkbox>
      <Checkbox name="chat_approval" defaultChecked={fields.chatApproval}>
        Approve chat: a message is on the big screen only once a host has let it.
      </Checkbox>
      <Checkbox name="given_names" defaultChecked={fields.givenNames}>
        Guests do not choose what they are called: each gets two words and a number, as Brisk Otter 47.
      </Checkbox>
      <SmallRoom checked={fields.smallRoom} fixed={smallRoomFixed} />
    </fieldset>
  );
}

/** @param props.fixed as in `SettingFieldsProps`. */
function SmallRoom({ checked, fixed }: { checked: boolean; fixed: string | undefined }) {
  return (
    <>
      <Checkbox
        name="small_room"
        defaultChecked={checked}
        disabled={fixed !== undefined}
        aria-describedby={fixed === undefined ? undefined : "small-room-fixed"}
      >
        Small room: hosts may also call in it.
      </Checkbox>
      {fixed === undefined ? null : (
        <p className="small ink2" id="small-room-fixed">
          {/* A disabled box is not sent. */}
          {checked ? <input type="hidden" name="small_room" value="1" /> : null}
          <span>{fixed}</span>
        </p>
      )}
    </>
  );
}

/** The names of a session's teams, one a line. `value`: as typed or as saved. */
export function TeamNamesField({ value, errors }: { value: string; errors: FieldErrors }) {
  return (
    <Field
      label={words.teams}
      name="teams"
      type="textarea"
      rows={3}
      optional
      value={value}
      maxLength={teamNumbers.max * (TEAM_NAME_LENGTH_MAX + 1)}
      hint={`${TEAMS_MIN} to ${teamNumbers.max} names, one a line. Empty: everybody plays alone. Once players are in them, change names and add teams at the end.`}
      errors={teamErrors(errors)}
    />
  );
}

function teamErrors(errors: FieldErrors): string[] | undefined {
  const field = Object.keys(errors).find((name) => /^settings\.teams(?:\.\d+)?$/.test(name));
  return field === undefined ? undefined : errors[field];
}
