/** The checkbox that lets a sign-in outlast the browser. */
export function RememberMe({ checked = true }: { checked?: boolean | undefined }) {
  return (
    <label className="check">
      <input type="checkbox" name="user[remember_me]" value="1" defaultChecked={checked} />
      Remember me
    </label>
  );
}
