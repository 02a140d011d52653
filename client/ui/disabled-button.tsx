import { type ReactNode, useId } from "react";

type DisabledButtonProps = {
  className: string;
  disabledReason: string;
  /** Says it to who presses it too. */
  onPress?: () => void;
  children: ReactNode;
};

/** A button that does nothing now. It can still be focused, and says why. */
export function DisabledButton({ className, disabledReason, onPress, children }: DisabledButtonProps) {
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
