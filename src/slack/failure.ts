/** What was thrown, as words for the person who asked and a line for the log. */
import { FleetFailure } from '../fleet/fleet.ts';
import { newReference, type PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import { NotStored } from '../not-stored.ts';
import type { Problem } from '../views/model.ts';
import { MaybeChanged } from './maybe-changed.ts';

type Failed = { readonly what: string; readonly person: PersonId; readonly thrown: unknown };

/** The words and the line carry one reference, so that they can be brought together. */
export function createFailure(log: Log): (failed: Failed) => Problem {
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
    if (error instanceof NotStored) return { kind: 'not-stored', why: error.why, changed, reference };
    return { kind: 'unexpected', changed, reference };
  };
}
