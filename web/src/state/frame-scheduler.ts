/**
 * Joins many calls into one: returns a function that has `run` called once, with the next frame but one, however
 * often it is called until then. Text that grows thirty times a second reads as smoothly as at sixty, and leaves
 * every other frame to what the person does. A page nobody sees draws no frames; it gets its call a little later.
 */
const UNSEEN_MS = 250;

export function everyOtherFrame(run: () => void): () => void {
  let pending: { frame: number; timer: ReturnType<typeof setTimeout> } | null = null;
  const fire = () => {
    if (!pending) return;
    cancelAnimationFrame(pending.frame);
    clearTimeout(pending.timer);
    pending = null;
    run();
  };
  const skip = () => {
    if (pending) pending.frame = requestAnimationFrame(fire);
  };
  return () => {
    pending ??= { frame: requestAnimationFrame(skip), timer: setTimeout(fire, UNSEEN_MS) };
  };
}
