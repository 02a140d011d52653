/** Thrown in a kept part that depends on more than its props: a mistake in the component. React then renders the page. */
export class KeptPartError extends Error {
  override readonly name = "KeptPartError";
}
