import { Icon } from "./icon.tsx";

export type FieldErrors = Record<string, string[]>;

type FieldProps = {
  label: string;
  name: string;
  type: "email" | "password" | "text";
  autoComplete: string;
  value?: string;
  /** What is wrong with the value that was sent. */
  errors?: readonly string[] | undefined;
};

/** A labelled input; what is wrong with it stands below and is read with it. */
export function Field({ label, name, type, autoComplete, value = "", errors = [] }: FieldProps) {
  const id = name.replaceAll(/\W+/g, "-");
  const wrong = errors.length > 0;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        name={name}
        type={type}
        autoComplete={autoComplete}
        defaultValue={value}
        required
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-error` : undefined}
      />
      {wrong ? (
        <span className="err" id={`${id}-error`}>
          <Icon name="warning" size="s" />
          {label} {errors.join(", ")}
        </span>
      ) : null}
    </div>
  );
}
