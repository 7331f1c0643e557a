/** The name this device's person goes by: said with each new login, and asked for once. */
import { type DeviceStorage, remember, remembered } from './device-storage.ts';

const NAME = 'tscodex.name';
const ASKED = 'tscodex.name.asked';

export class DeviceName {
  constructor(private readonly storage: DeviceStorage) {}

  /** null when none was ever given here. */
  get name(): string | null {
    return remembered(this.storage, NAME);
  }

  set name(name: string) {
    remember(this.storage, NAME, name);
  }

  /** Whether whoever sits here was asked already and did not want to say. */
  get skipped(): boolean {
    return remembered(this.storage, ASKED) !== null;
  }

  skip(): void {
    remember(this.storage, ASKED, 'skipped');
  }
}
