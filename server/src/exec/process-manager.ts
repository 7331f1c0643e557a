/** Placeholder type until the room is built. */
export interface ProcessManager {
  stopTurn(turnId: string): Promise<void>;
}
