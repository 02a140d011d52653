import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export type LabelProps = {
  label: string;
  /** By default made from the name. Needed where a page has two fields of the same name. */
  id?: string | undefined;
  /** What to enter, and in which unit. */
  hint?: ReactNode;
  /** The errors of the value that was sent. */
  errors?: readonly string[] | undefined;
};

/** A control with its label above, and its hint and errors below. */
export function Labelled({
  id,
  label,
  hint,
  errors = [],
  children,
}: LabelProps & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint === undefined ? null : (
        <span className="hint num" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {errors.length === 0 ? null : (
        <span className="err" id={`${id}-error`}>
          <Icon name="warning" size="s" />
          <span>{`${label} ${errors.join(", ")}`}</span>
        </span>
      )}
    </div>
  );
}

/** The id of a control by its name: "user[email]" -> "user-email-". */
export function idOf(name: string): string {
  return name.replaceAll(/\W+/g, "-");
}

/** The ARIA attributes that link a control to its hint and errors. */
export function ariaOf(id: string, { hint, errors = [] }: Pick<LabelProps, "hint" | "errors">) {
  const wrong = errors.length > 0;
  const ids = [hint === undefined ? "" : `${id}-hint`, wrong ? `${id}-error` : ""].filter(
    (part) => part !== "",
  );
  return {
    "aria-invalid": wrong,
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
  };
}
