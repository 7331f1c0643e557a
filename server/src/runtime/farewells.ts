/** What viewers are told when a session leaves memory. */
export const FAREWELLS = {
  close: 'This session was closed.',
  unlist: 'Its workspace was taken out of the list of workspaces; put it back to go on here.',
  shutdown: 'The server is stopping.',
};

export type Farewell = keyof typeof FAREWELLS;
