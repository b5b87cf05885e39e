/** What one check of the doctor found: pure data, worded by the check, printed by `doctor.ts`. */
export type Finding = {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly name: string;
  /** What was seen. */
  readonly seen: string;
  /** What to do about it; null when it is fine. */
  readonly todo: string | null;
};

export const ok = (name: string, seen: string): Finding => ({ status: 'ok', name, seen, todo: null });
export const warn = (name: string, seen: string, todo: string): Finding => ({
  status: 'warn',
  name,
  seen,
  todo,
});
export const fail = (name: string, seen: string, todo: string): Finding => ({
  status: 'fail',
  name,
  seen,
  todo,
});

/** One line, and a second one with what to do. */
export function findingText({ status, name, seen, todo }: Finding): string {
  const line = `${status.padEnd(4)}  ${name}: ${seen}`;
  return todo === null ? line : `${line}\n      → ${todo}`;
}
