import { type Context, createContext, useContext } from "react";

/** A context that its readers are always in, and the hook that reads it. */
export function requiredContext<Value>(): [context: Context<Value | null>, use: () => Value] {
  const context = createContext<Value | null>(null);
  const useValue = () => {
    const value = useContext(context);
    if (value === null) throw new Error("A part of a page was rendered outside of it.");
    return value;
  };
  return [context, useValue];
}
