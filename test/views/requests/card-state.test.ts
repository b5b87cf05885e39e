import { describe, expect, it } from 'vitest';
import { cardMetadata } from '../../../src/views/kit/card-metadata.ts';
import { cardState, outcomeState } from '../../../src/views/requests/request-label.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget } from '../../harness/records.ts';
import { aSentRequest } from '../request-records.ts';

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
    expect(outcomeState(aStartedRequest({ targets }))).toBe(expected);
    expect(cardState(aStartedRequest({ targets }))).toBe(expected);
  });
});

describe('states: the state of a request', () => {
  it.each([
    ['waiting', aRequest(), 'waiting'],
    ['denied', aRequest({ state: 'denied' }), 'denied'],
    ['expired', aRequest({ state: 'expired' }), 'expired'],
    ['withdrawn', aRequest({ state: 'withdrawn' }), 'withdrawn'],
    ['approved and not yet issued', aRequest({ state: 'approved' }), 'waiting'],
    ['approved and moving', aSentRequest({ targets: [aTarget({ state: 'answered' })] }), 'answered'],
    [
      'carried out',
      aSentRequest({ targets: [aTarget({ state: 'not_verified', endedAt: START })] }),
      'not_verified',
    ],
  ] as const)('is for one that is %s', (_what, request, expected) => {
    expect(cardState(request)).toBe(expected);
  });

  it('is that of all targets, also of those that are not loaded', () => {
    const targets = [aTarget({ state: 'verified', endedAt: START })];
    expect(cardState(aSentRequest({ targets, counts: { verified: 5_000, queued: 1, open: 1 } }))).toBe(
      'queued',
    );
  });
});

describe('metadata', () => {
  it('names the card and its state', () => {
    expect(cardMetadata('approval:a_1', { state: 'waiting' })).toEqual({
      event_type: 'patchbay_card',
      event_payload: { key: 'approval:a_1', state: 'waiting' },
    });
  });
});
