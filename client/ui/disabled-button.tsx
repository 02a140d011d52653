import { type ReactNode, useId } from "react";

/** A button that cannot be pressed now. It can still be focused, and says why. */
export function DisabledButton({
  className,
  disabledReason,
  children,
}: {
  className: string;
  disabledReason: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <>
      <button
        className={className}
        type="button"
        aria-disabled="true"
        aria-describedby={id}
        title={disabledReason}
      >
        {children}
      </button>
      <span className="vh" id={id}>
        {disabledReason}
      </span>
    </>
  );
}
