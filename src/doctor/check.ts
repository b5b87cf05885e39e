/** What one check of the doctor found: pure data, worded by the check, printed by `doctor.ts`. */
export type Finding = {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly name: string;
  /** What was seen. */
  readonly seen: string;
  /** What to do about it; null when it is fine. */
  readonly remedy: string | null;
};

export const ok = (name: string, seen: string): Finding => ({ status: 'ok', name, seen, remedy: null });
export const warn = (name: string, seen: string, remedy: string): Finding => ({
  status: 'warn',
  name,
  seen,
  remedy,
});
export const fail = (name: string, seen: string, remedy: string): Finding => ({
  status: 'fail',
  name,
  seen,
  remedy,
});

/** One line, and a second one with what to do. */
export function findingText({ status, name, seen, remedy }: Finding): string {
  const line = `${status.padEnd(4)}  ${name}: ${seen}`;
  return remedy === null ? line : `${line}\n      → ${remedy}`;
}
