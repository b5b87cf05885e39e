import { describe, expect, it } from 'vitest';
import { cardMetadata } from '../../../src/views/kit/card-metadata.ts';
import { cardState, operationState } from '../../../src/views/requests/card-state.ts';
import { anApproval, anOperation, aTarget } from '../../harness/records.ts';

describe('states: the state of a command', () => {
  it.each([
    ['not sent yet', ['ready'], 'waiting'],
    ['being sent', ['issuing'], 'waiting'],
    ['accepted', ['accepted'], 'accepted'],
    ['queued', ['queued'], 'queued'],
    ['answered', ['answered'], 'answered'],
    ['verified', ['verified'], 'verified'],
    ['not verified', ['not_verified'], 'not_verified'],
    ['not sent for good', ['not_sent'], 'not_sent'],
    ['not sent to one of several', ['verified', 'not_sent'], 'not_sent'],
    ['not sent to one, and refused for another', ['not_sent', 'refused'], 'refused'],
    ['not sent to one, and under way on another', ['not_sent', 'accepted'], 'accepted'],
    ['not accepted', ['refused'], 'refused'],
    ['not accepted for one, and not verified for another', ['refused', 'not_verified'], 'not_verified'],
    ['unknown', ['unknown'], 'unknown'],
    ['the least far of several', ['verified', 'answered', 'queued'], 'queued'],
    ['what a person should look at, when all have ended', ['verified', 'refused', 'unknown'], 'unknown'],
    ['verified only when all are', ['verified', 'verified'], 'verified'],
    ['of no device', [], 'waiting'],
  ] as const)('is for %s', (_what, states, expected) => {
    const targets = states.map((state) => aTarget({ state }));
    expect(operationState(anOperation({ targets }))).toBe(expected);
  });
});

describe('states: the state of a request', () => {
  it.each([
    ['waiting', 'waiting', null, 'waiting'],
    ['denied', 'denied', null, 'denied'],
    ['expired', 'expired', null, 'expired'],
    ['withdrawn', 'withdrawn', null, 'withdrawn'],
    ['approved and not yet issued', 'approved', null, 'waiting'],
    [
      'approved and moving',
      'approved',
      anOperation({ targets: [aTarget({ state: 'answered' })] }),
      'answered',
    ],
  ] as const)('is for one that is %s', (_what, state, operation, expected) => {
    expect(cardState(anApproval({ state }), operation)).toBe(expected);
  });
});

describe('metadata', () => {
  it('names the card and its state', () => {
    expect(cardMetadata('approval:a_1', 'waiting')).toEqual({
      event_type: 'patchbay_card',
      event_payload: { key: 'approval:a_1', state: 'waiting' },
    });
  });
});
