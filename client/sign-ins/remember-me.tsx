import { Checkbox } from "../ui/checkbox.tsx";

/** The checkbox that lets a sign-in outlast the browser. */
export function RememberMe({ checked = true }: { checked?: boolean | undefined }) {
  return (
    <Checkbox name="user[remember_me]" defaultChecked={checked}>
      Remember me
    </Checkbox>
  );
}
