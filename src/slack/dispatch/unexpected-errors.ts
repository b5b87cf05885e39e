/** Turns an unexpected error into a message for the person and a line in the log. */
import { FleetFailure } from '../../fleet/fleet.ts';
import { newReference, type PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { NotStored } from '../../lib/not-stored.ts';
import type { Problem } from '../../views/model.ts';

type FailedAction = { readonly what: string; readonly person: PersonId; readonly thrown: unknown };

/** The message and the log line share one reference. */
export function createErrorReporter(log: Log): (failed: FailedAction) => Problem {
  return ({ what, person, thrown }) => {
    const reference = newReference();
    const changed = thrown instanceof MaybeChanged ? 'unknown' : 'nothing';
    const error = thrown instanceof MaybeChanged ? thrown.cause : thrown;
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

/** A failure after which something may have changed; its cause is the original error. */
export class MaybeChanged extends Error {
  constructor(cause: unknown) {
    super('failed where something may have been changed', { cause });
    this.name = 'MaybeChanged';
  }
}

/** Wraps errors of `job`, and only of `job`: reading and planning before it change nothing. */
export async function markMaybeChanged<T>(job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    throw new MaybeChanged(error);
  }
}
