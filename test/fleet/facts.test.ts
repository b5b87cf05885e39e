import { expect, it } from 'vitest';
import { deviceFacts } from '../../src/fleet/facts.ts';
import { aDevice, START } from '../harness/builders.ts';
import { someFacts } from '../harness/records.ts';

it('an approver sees what the record says and what was found besides', () => {
  const besides = { groupName: 'Linux servers', missing: ['openssl'], asOf: START };
  expect(deviceFacts(aDevice(), besides)).toEqual(someFacts({ missing: ['openssl'] }));
  expect(deviceFacts(aDevice({ customName: 'Front desk' }), besides)).toMatchObject({
    hostname: 'web-01',
    displayName: 'Front desk',
  });
});
