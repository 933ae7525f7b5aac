/** States that undo and redo bring back. */

const steps = 200;

export class UndoList<T> {
  private readonly done: T[] = [];
  private readonly undone: T[] = [];

  /** Keeps the state before a change. What was undone cannot be redone any more. */
  remember(before: T): void {
    this.done.push(before);
    this.undone.length = 0;
    if (this.done.length > steps) this.done.shift();
  }

  /** Returns the state before the last change, or null; `now` is what redo brings back. */
  undo(now: T): T | null {
    return move(this.done, this.undone, now);
  }

  /** Returns the state that was undone last, or null. */
  redo(now: T): T | null {
    return move(this.undone, this.done, now);
  }
}

function move<T>(from: T[], to: T[], now: T): T | null {
  const next = from.pop();
  if (next === undefined) return null;
  to.push(now);
  return next;
}
