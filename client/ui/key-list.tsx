export function KeyList({ keys }: { keys: readonly (readonly [key: string, meaning: string])[] }) {
  return (
    <dl className="keys">
      {keys.map(([key, meaning]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
