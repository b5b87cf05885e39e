/** Why Patchbay itself did not send a call. */
import type { HeldCause } from '../../fleet/fleet.ts';
import { SECOND } from '../../lib/clock.ts';
import { countText } from './common-text.ts';

/** Part of a sentence, without any text from outside. */
export function heldText(cause: HeldCause): string {
  switch (cause.kind) {
    case 'breaker': {
      const { failures, retryInMs } = cause;
      const when =
        retryInMs === 0
          ? 'it is being tried now'
          : `it is tried again in ${countText(Math.ceil(retryInMs / SECOND), 'second')}`;
      return `the service failed ${failures} times in a row, so nothing was sent; ${when}`;
    }
    case 'limit':
      return 'it keeps to the rate limit of the service';
    case 'pause':
      return 'the service asked for a pause a moment ago';
    case 'crowded':
      return 'too many other requests came first';
    case 'stopping':
      return 'it is stopping';
    case 'delayed':
      return 'it was delayed just before sending';
    case 'no-batches':
      return 'the service takes the tags of one device at a time';
  }
}
