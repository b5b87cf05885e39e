/** Turns an unexpected error into a message for the person and a line in the log. */
import { FleetFailure } from '../../fleet/fleet.ts';
import { newReference, type PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { NotStored } from '../../lib/not-stored.ts';
import type { Changed, Problem } from '../../views/views.ts';

export type ReportedProblem = Extract<Problem, { readonly kind: 'fleet' | 'not-stored' | 'unexpected' }>;
type FailedAction = { readonly what: string; readonly person: PersonId; readonly thrown: unknown };

/** The message and the log line share one reference. */
export function createErrorReporter(log: Log): (failed: FailedAction) => ReportedProblem {
  return ({ what, person, thrown }) => {
    const reference = newReference();
    const isMarked = thrown instanceof MarkedFailure;
    const changed = isMarked ? thrown.changed : 'nothing';
    const error = isMarked ? thrown.cause : thrown;
    const line = { event: 'command.failed', what, person, reference, err: error };
    if (error instanceof FleetFailure) {
      log.warn(line, 'the management service failed a request of a command');
      return { kind: 'fleet', error: error.error, changed, reference };
    }
    log.error(line, 'command failed');
    if (error instanceof NotStored) return { kind: 'not-stored', why: error.reason, changed, reference };
    return { kind: 'unexpected', changed, reference };
  };
}

/** A failure with what it may have changed; its cause is the original error. */
export class MarkedFailure extends Error {
  readonly changed: Exclude<Changed, 'nothing'>;
  constructor(changed: MarkedFailure['changed'], cause: unknown) {
    super('failed where it is known what may have been changed', { cause });
    this.name = 'MarkedFailure';
    this.changed = changed;
  }
}

const marking =
  (changed: MarkedFailure['changed']) =>
  async <T>(job: () => Promise<T>): Promise<T> => {
    try {
      return await job();
    } catch (error) {
      throw new MarkedFailure(changed, error);
    }
  };

/** Wraps errors of `job`, and only of `job`: reading and planning before it change nothing. */
export const markMaybeChanged = marking('unknown');

/** Wraps errors of a command that only reads, under which “Nothing was changed” would be noise. */
export const markRead = marking(null);
