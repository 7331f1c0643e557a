import { t } from '../messages/messages.ts';
import { copyText } from '../ui/copy-text.ts';

/** How long a button says what came of it, in milliseconds. */
const SAID_FOR = 1_500;

/** The Copy button of a code block: puts exactly the block's text on the clipboard. For a click anywhere in a message. */
export async function copyCode(target: EventTarget): Promise<void> {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
  const code = button?.closest('[data-code]')?.querySelector('code');
  if (!button || !code) return;
  button.textContent = t(
    (await copyText(code.textContent ?? '', code)) ? 'markdown.copied' : 'markdown.copyFailed',
  );
  setTimeout(() => {
    button.textContent = t('markdown.copy');
  }, SAID_FOR);
}
