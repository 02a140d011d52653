/** A number with its name over it, within a <dl>. */
export function KeyValue({ label, children }: { label: string; children: string | number }) {
  return (
    <div className="kv">
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
