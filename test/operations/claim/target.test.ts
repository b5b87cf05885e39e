import { describe, expect, it } from 'vitest';
import type { FleetError } from '../../../src/fleet/fleet.ts';
import { targetAfterSending } from '../../../src/operations/claim/target.ts';
import { aTarget, SENT } from '../builders.ts';
import { anError } from '../simulated-fleet.ts';

const claimed = aTarget({ state: 'issuing', acceptedAt: null });

describe('the text about a command that was not carried out', () => {
  it.each<readonly [string, FleetError, string]>([
    [
      'it was refused',
      anError('forbidden', 403),
      'The management service did not accept the command. Nothing was changed. Cause: the management service does not allow this, or the target no longer exists (HTTP 403).',
    ],
    [
      'it was refused in words',
      { ...anError('forbidden', 422), kind: 'invalid', detail: 'no such\ncommand' },
      'The management service did not accept the command. Nothing was changed. Cause: the management service rejected the request (HTTP 422, no such command).',
    ],
    [
      'there were too many',
      { ...anError('timeout', 429), kind: 'throttled', retryAfterMs: 1_000 },
      'The management service did not accept the command. Nothing was changed. Cause: the management service is limiting requests (HTTP 429). Try again later.',
    ],
    [
      'it never left',
      anError('unreachable', null),
      'The command could not be sent. Nothing was changed. Cause: the management service could not be reached.',
    ],
  ])('%s', (_what, error, evidence) => {
    expect(targetAfterSending(claimed, { kind: 'refused', error }, SENT)).toMatchObject({
      state: 'refused',
      endedAt: SENT,
      evidence,
    });
  });

  it('an accepted one was not seen in the queue yet', () => {
    expect(targetAfterSending(claimed, { kind: 'accepted' }, SENT)).toMatchObject({
      state: 'accepted',
      evidence:
        'The management service accepted the command. Patchbay hasn’t seen it in the device’s queue yet and keeps checking.',
    });
  });
});
