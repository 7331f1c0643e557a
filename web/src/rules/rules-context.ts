import { createContext, useContext } from 'react';

/** Opens the list of rules, wherever one is. */
export const RulesContext = createContext<() => void>(() => undefined);

export function useOpenRules(): () => void {
  return useContext(RulesContext);
}
