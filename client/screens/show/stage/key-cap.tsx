/** The keyboard shortcut of a button. Screen readers read `aria-keyshortcuts` instead. */
export function KeyCap({ name }: { name: string }) {
  return (
    <kbd className="cap" aria-hidden="true">
      {name}
    </kbd>
  );
}
