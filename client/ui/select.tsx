import type { ComponentProps } from "react";

type SelectProps = ComponentProps<"select"> & {
  /** The text of each value. */
  options: Readonly<Record<string, string>>;
};

/** A list to choose from, without a label that is seen. */
export function Select({ options, ...select }: SelectProps) {
  return (
    <select className="input" {...select}>
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
