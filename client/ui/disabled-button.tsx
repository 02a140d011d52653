import { type ReactNode, useId } from "react";

/** A button that does nothing now. It can still be focused, and says why. @param onPress says it to who presses it too. */
export function DisabledButton({
  className,
  disabledReason,
  onPress,
  children,
}: {
  className: string;
  disabledReason: string;
  onPress?: () => void;
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
        onClick={onPress}
      >
        {children}
      </button>
      <span className="vh" id={id}>
        {disabledReason}
      </span>
    </>
  );
}
