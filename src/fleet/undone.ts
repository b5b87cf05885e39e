/** Ends of a command of which nothing can have been done. Pure. */

/** Whether something that ended in this state was certainly not done: it was not sent, or not accepted. */
export function isUndone({ state }: { readonly state: string }): boolean {
  return state === 'not_sent' || state === 'refused';
}
