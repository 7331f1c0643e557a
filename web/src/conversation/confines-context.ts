import { createContext } from 'react';

/** Whether the session on show confines commands: one that ran without is then an exception, and says so. */
export const ConfinesContext = createContext(false);
