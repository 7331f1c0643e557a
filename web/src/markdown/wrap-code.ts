/** Whether long lines of code wrap: one choice for every block, remembered by the device. */
import { deviceStorage, remember, remembered } from '../state/device-storage.ts';

const KEY = 'tscodex.wrap-code';

let wraps: boolean | undefined;

export function wrapsCode(): boolean {
  wraps ??= remembered(deviceStorage(), KEY) !== null;
  return wraps;
}

/** The Wrap button of a code block; for a click anywhere in a message. Every block of the page follows. */
export function toggleWrap(target: EventTarget): void {
  if (!(target instanceof Element) || !target.closest('[data-wrap]')) return;
  wraps = !wrapsCode();
  remember(deviceStorage(), KEY, wraps ? 'yes' : null);
  for (const block of document.querySelectorAll('[data-code]')) {
    block.setAttribute('data-code', codeLayout());
    block.querySelector('[data-wrap]')?.setAttribute('aria-pressed', String(wraps));
  }
}

/** The value of `data-code`, which the styles go by. */
export const codeLayout = (): 'wrap' | 'scroll' => (wrapsCode() ? 'wrap' : 'scroll');
