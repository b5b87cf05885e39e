/** Lets things that must not overlap happen one after the other, in the order of asking. */
export type InTurn = <T>(act: () => Promise<T>) => Promise<T>;

/** A queue in which nobody waits yet. One that fails does not stop the next. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    last = turn.catch(() => undefined);
    return turn;
  };
}
