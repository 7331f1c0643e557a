/**
 * Keeps the focus where the person writes: a board's script may take it for its frame at any time, and would get
 * what is typed next. Nothing in a sandbox forbids that, so what was taken is given back.
 */

/** How long after Tab the focus arrives in a frame at the latest. */
const TAB_MS = 500;

/** A press, in the page or in a frame, counts as one for the page for so long (HTML: transient activation). */
const ACTIVATION_MS = 5_000;

/** What the page knows when a frame has just got the focus. Times in milliseconds on one clock. */
export type Taken = {
  now: number;
  /** The last thing that was pressed in the page: a key, or the pointer. */
  pressed: { what: string; at: number };
  /** Whether the person has pressed something lately, be it here or in the frame. */
  isActive: boolean;
};

/**
 * Whether the person went into the frame. What is pressed in there is not told; it shows once nothing pressed here
 * can be what counts as the activation. A press that is not believed does its work in the frame all the same, only
 * the focus stays.
 */
export function wentIn({ now, pressed, isActive }: Taken): boolean {
  const ago = now - pressed.at;
  return (pressed.what === 'Tab' && ago < TAB_MS) || (isActive && ago > ACTIVATION_MS);
}

/** Watches over the frames in `around` until the returned function is called. */
export function guardFocus(around: HTMLElement): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal, capture: true };
  let pressed = { what: '', at: Number.NEGATIVE_INFINITY };
  let written: HTMLElement | null = null;

  const giveBack = () => {
    if (!around.contains(document.activeElement)) return;
    const isActive = navigator.userActivation?.isActive ?? true;
    if (written?.isConnected && !wentIn({ now: performance.now(), pressed, isActive }))
      written.focus({ preventScroll: true });
  };
  const press = (what: string) => {
    pressed = { what, at: performance.now() };
  };
  document.addEventListener('keydown', ({ key }) => press(key), options);
  document.addEventListener('pointerdown', () => press('pointer'), options);
  document.addEventListener(
    'focusin',
    ({ target }) => {
      written = target instanceof HTMLElement && target.matches('textarea, input') ? target : null;
    },
    options,
  );
  // the frame is the active element once the event is over
  addEventListener('blur', () => setTimeout(giveBack), options);
  document.addEventListener('visibilitychange', giveBack, options);
  return () => ended.abort();
}
