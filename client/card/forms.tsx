import { useOnTheHouse } from "#client/events/house-dollar.ts";
import { useView } from "#client/events/view.ts";
import { CsrfField } from "../ui/csrf-field.tsx";

/** Ids of the forms that the buttons outside them belong to. */
export const PLACE_FORM = "place-call";
export const CANCEL_FORM = "cancel-call";

/** The hidden forms that the buttons submit where there is no script, or before the page is hydrated. */
export function Forms() {
  const view = useView();
  const onTheHouse = useOnTheHouse(view);
  return (
    <>
      <form id={PLACE_FORM} method="post" hidden>
        <CsrfField />
        <input type="hidden" name="idempotency_key" value={view.data.formKey} />
        {onTheHouse ? <input type="hidden" name="on_the_house" value="1" /> : null}
      </form>
      <form id={CANCEL_FORM} method="post" hidden>
        <CsrfField />
      </form>
    </>
  );
}
