import { type ReactNode, useId } from "react";

/** A button that cannot be pressed now. It can still be focused, and says why. */
export function DisabledButton({
  className,
  why,
  children,
}: {
  className: string;
  why: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <>
      <button className={className} type="button" aria-disabled="true" aria-describedby={id} title={why}>
        {children}
      </button>
      <span className="vh" id={id}>
        {why}
      </span>
    </>
  );
}
