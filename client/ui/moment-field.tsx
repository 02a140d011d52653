import { type ComponentProps, type FormEvent, useState } from "react";
import { fromFieldTime, toFieldTime } from "#client/base/format/field-time.ts";
import { Field } from "./field.tsx";

type MomentFieldProps = Omit<ComponentProps<typeof Field>, "type" | "onValue" | "hint"> & {
  zone: string;
  hint: string;
};

/** A local time. It says what a time means that the clocks of the zone leave out. */
export function MomentField({ zone, hint, ...field }: MomentFieldProps) {
  const [typed, setTyped] = useState(field.value ?? "");
  // The browser holds the value: a date that is typed in parts has none meanwhile.
  const follow = ({ target }: FormEvent) => {
    if (target instanceof HTMLInputElement) setTyped(target.value);
  };
  return (
    <div onChange={follow}>
      <Field
        {...field}
        type="datetime-local"
        hint={
          <>
            <span>{hint}</span> <Meaning typed={typed} zone={zone} />
          </>
        }
      />
    </div>
  );
}

/** What a typed time means, where the clocks of the zone skip it: the later moment. Otherwise nothing. */
export function Meaning({ typed, zone }: { typed: string; zone: string }) {
  return <b role="status">{meaningOf(typed, zone)}</b>;
}

function meaningOf(typed: string, zone: string): string {
  const at = fromFieldTime(typed, zone);
  if (at === null) return "";
  const meant = toFieldTime(at, zone);
  return withSeconds(meant) === withSeconds(typed)
    ? ""
    : `The clocks skip that time. It means ${meant.replace("T", " ")}.`;
}

function withSeconds(time: string): string {
  return time.length === "2026-11-21T20:14".length ? `${time}:00` : time;
}
