/** The severities that `patch` is asked for, such as `severity:critical,high`. Pure. */
import { SEVERITIES, type Severity } from '../../fleet/software.ts';
import { nearestOrAny } from '../../inventory/nearest.ts';
import type { Typed } from '../define.ts';
import type { Filter } from '../line/grammar.ts';

export function isSeverity({ key }: Filter): boolean {
  return key === 'severity';
}

/** Several are any of them, whether after commas or each with its own key. */
export function readSeverities(filters: readonly Filter[]): Typed<Severity[]> {
  const severities = new Set<Severity>();
  for (const { value, negated, text } of filters) {
    for (const word of value.split(',')) {
      const severity = SEVERITIES.find((known) => known === word.trim().toLowerCase());
      if (severity === undefined || negated) {
        const offered = nearestOrAny(word, SEVERITIES).map((known) => `severity:${known}`);
        return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest: offered } };
      }
      severities.add(severity);
    }
  }
  return { kind: 'input', input: [...severities] };
}
