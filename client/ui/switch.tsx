import { useId } from "react";

export function Switch({ label, isOn, onToggle }: { label: string; isOn: boolean; onToggle: () => void }) {
  const id = useId();
  return (
    <div className="row">
      <span className="small ink2" id={id}>
        {label}
      </span>
      <button
        className="btn sm push"
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={id}
        onClick={onToggle}
      >
        {isOn ? "On" : "Off"}
      </button>
    </div>
  );
}
