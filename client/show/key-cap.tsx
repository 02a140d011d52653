/** The key that presses a button, drawn on it; said by the button's own shortcut. */
export function KeyCap({ name }: { name: string }) {
  return (
    <kbd className="cap" aria-hidden="true">
      {name}
    </kbd>
  );
}
