import { useTimeZone } from "#client/base/format/time-zone.ts";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { MomentField } from "#client/ui/moment-field.tsx";
import { SEASON_NAME_LENGTH_MAX } from "#db/lists/seasons.ts";
import * as texts from "./seasons-texts.ts";

type SeasonFieldsProps = {
  /** Makes the ids of the fields, which the page has several times. */
  id: string;
  /** The values as they are typed in the zone of the reader. */
  valuesIn: (zone: string) => { name: string; startsAt: string; endsAt: string };
  errors: FieldErrors;
};

/** The name and the dates of a season. */
export function SeasonFields({ id, valuesIn, errors }: SeasonFieldsProps) {
  const zone = useTimeZone();
  const { name, startsAt, endsAt } = valuesIn(zone);
  // The browser's time zone may differ from the server's guess; the key then resets the field.
  const dates = { zone, hint: texts.zoneHint(zone) };
  return (
    <>
      <input type="hidden" name="time_zone" value={zone} />
      <Field
        label={texts.name}
        id={`${id}-name`}
        name="name"
        maxLength={SEASON_NAME_LENGTH_MAX}
        value={name}
        errors={errors["name"]}
      />
      <MomentField
        key={`from ${zone}`}
        label={texts.startsAt}
        id={`${id}-starts`}
        name="starts_at"
        value={startsAt}
        errors={errors["startsAt"]}
        {...dates}
      />
      <MomentField
        key={`until ${zone}`}
        label={texts.endsAt}
        id={`${id}-ends`}
        name="ends_at"
        value={endsAt}
        errors={errors["endsAt"]}
        {...dates}
      />
    </>
  );
}
