/** A message that the page offers to write: from the button elsewhere to the box that a person sends it from. */
import { createContext, useContext, useEffect } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';

export type SuggestionStore = StoreApi<{ text: string | null }>;

export function suggestionStore(): SuggestionStore {
  return createStore(() => ({ text: null }));
}

export const SuggestionContext = createContext<SuggestionStore | null>(null);

/** Offers a text; nothing is sent. */
export function useSuggest(): (text: string) => void {
  const store = useContext(SuggestionContext);
  return (text) => store?.setState({ text });
}

/** Takes what is offered. */
export function useSuggestion(take: (text: string) => void): void {
  const store = useContext(SuggestionContext);
  useEffect(() => {
    if (!store) return;
    const look = () => {
      const { text } = store.getState();
      if (text === null) return;
      store.setState({ text: null });
      take(text);
    };
    look();
    return store.subscribe(look);
  }, [store, take]);
}
