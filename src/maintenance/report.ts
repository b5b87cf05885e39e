/** How maintenance commands report failures and audit chains. */

import type { Instant } from '../lib/clock.ts';
import type { ChainProblem, ChainVerdict } from '../store/admin/verify-audit.ts';

/** Prints one line for the person and sets the exit code. */
export function failWith(code: 1 | 2, line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = code;
}

/** The verdict on an audit chain, in one or two lines. */
export function chainText(verdict: ChainVerdict): string {
  const name = `Audit trail of organization ${verdict.organizationId}`;
  if (verdict.kind === 'broken')
    return `${name} is broken at entry ${verdict.sequence}: ${PROBLEM_TEXTS[verdict.problem]}`;
  const { entries, times, head } = verdict;
  if (times === null) return `${name} has no entries.`;
  const count = entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`;
  return `${name} is intact: ${count} from ${isoTime(times.first)} to ${isoTime(times.last)}.\nHash of the last entry: ${head}\nSave the number ${entries} and this hash outside the database. If entry ${entries} later has a hash in the CSV file of /fleet audit that does not start like this one, the trail was rewritten.`;
}

const PROBLEM_TEXTS: Readonly<Record<ChainProblem, string>> = {
  changed: 'this entry, or the one before it, was changed.',
  missing: 'this entry is missing.',
  unreadable: 'this entry cannot be read.',
  cut: 'this entry and those after it are missing.',
  head: 'the recorded end of the chain does not match this entry.',
  unrecorded: 'it and others are missing, because a stored request has no entry.',
};

function isoTime(at: Instant): string {
  return new Date(at).toISOString();
}
