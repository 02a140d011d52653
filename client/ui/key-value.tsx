/** A number below its name, inside a <dl>. */
export function KeyValue({ label, children }: { label: string; children: string | number }) {
  return (
    <div className="kv">
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
