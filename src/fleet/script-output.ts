/**
 * What the script of a policy printed (§6) may hold secrets and names of people. It is in no card, list, file or alert:
 * the exit code is, and the service's console has the rest. Pure.
 */
import { POLICY_ACTION } from './event-names.ts';
import type { Happening } from './happenings.ts';
import type { FleetEvent } from './model.ts';

/** The words of an event that may be shown. `hidden`: there are others. */
export function shownWords({ name, failure, text }: Pick<FleetEvent, 'name' | 'failure' | 'text'>): Pick<
  FleetEvent,
  'failure' | 'text'
> & {
  readonly hidden: boolean;
} {
  if (name !== POLICY_ACTION) return { failure, text, hidden: false };
  return { failure: null, text: null, hidden: failure !== null || text !== null };
}

/** The same for what was kept of one, also by earlier versions. */
export function shownReason({
  kind,
  reason,
}: {
  readonly kind: Happening;
  readonly reason: string | null;
}): string | null {
  return isOfPolicy(kind) || reason === '' ? null : reason;
}

/** Whether a script ran. */
export function isOfPolicy(kind: Happening): boolean {
  return kind === 'policy-failed' || kind === 'policy-run';
}
