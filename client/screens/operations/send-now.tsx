import { Form } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import * as texts from "./operations-texts.ts";

/** Sends and tries again now what waits. */
export function SendNow({ what, label = texts.sendNow }: { what: string; label?: string }) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (!isAdmin) return <p className="ink2">{texts.sendNowHint}</p>;
  return (
    <Form method="post">
      <CsrfField />
      <Submit className="btn sm" intent="send_waiting">
        {label}
        <span className="vh">: {what}</span>
      </Submit>
    </Form>
  );
}
