import type { ComponentProps } from "react";

type CheckboxProps = Omit<ComponentProps<"input">, "type">;

/** A checkbox with its words beside it. Its value is "1", as `readForm` reads it. */
export function Checkbox({ children, ...box }: CheckboxProps) {
  return (
    <label className="check">
      <input type="checkbox" value="1" {...box} />
      {children}
    </label>
  );
}
