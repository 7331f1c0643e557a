import { constants } from 'node:os';

/** What people call the signal with this number. */
export function signalName(number: number): string {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known?.[0] ?? `signal ${number}`;
}
