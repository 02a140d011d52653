type SearchInputProps = {
  search: string;
  placeholder: string;
  label: string;
  maxLength: number;
  button: string;
};

/** The field `search` of a list's form, and its button. @param search what the list was searched for. */
export function SearchInput({ search, placeholder, label, maxLength, button }: SearchInputProps) {
  return (
    <>
      <input
        className="input"
        type="search"
        name="search"
        key={search}
        defaultValue={search}
        placeholder={placeholder}
        aria-label={label}
        maxLength={maxLength}
      />
      <button className="btn" type="submit">
        {button}
      </button>
    </>
  );
}
