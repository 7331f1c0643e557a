/**
 * Joins many calls into one: returns a function that has `run` called once, with the next frame on the screen,
 * however often it is called until then. A page nobody sees draws no frames; it gets its call a little later.
 */
const UNSEEN_MS = 250;

export function oncePerFrame(run: () => void): () => void {
  let pending: { frame: number; timer: ReturnType<typeof setTimeout> } | null = null;
  const fire = () => {
    if (!pending) return;
    cancelAnimationFrame(pending.frame);
    clearTimeout(pending.timer);
    pending = null;
    run();
  };
  return () => {
    pending ??= { frame: requestAnimationFrame(fire), timer: setTimeout(fire, UNSEEN_MS) };
  };
}
