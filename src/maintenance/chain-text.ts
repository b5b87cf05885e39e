/** What was found of an audit chain, in words. Pure. */
import type { Instant } from '../clock.ts';
import type { ChainProblem, ChainVerdict } from '../store/verify-audit.ts';

/** One or two lines. */
export function chainText(verdict: ChainVerdict): string {
  const name = `Audit trail of organization ${verdict.organizationId}`;
  if (verdict.kind === 'broken')
    return `${name} is broken at entry ${verdict.sequence}: ${PROBLEMS[verdict.problem]}`;
  const { entries, times, head } = verdict;
  if (times === null) return `${name} has no entries.`;
  const count = entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`;
  return `${name} is intact: ${count} from ${timeOf(times.first)} to ${timeOf(times.last)}.\nHash of the last entry: ${head}`;
}

const PROBLEMS: Readonly<Record<ChainProblem, string>> = {
  changed: 'this entry, or the one before it, was changed.',
  missing: 'this entry is missing.',
  unreadable: 'this entry cannot be read.',
  cut: 'this entry and those after it are missing.',
  head: 'the recorded end of the chain does not match this entry.',
};

function timeOf(at: Instant): string {
  return new Date(at).toISOString();
}
