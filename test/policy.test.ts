import { describe, expect, it } from 'vitest';
import { readPolicy } from '../src/policy.ts';

const CHANNELS = 'channels: {approvals: C01, patchAlerts: C02, newDevices: C03}';

describe('the policy file', () => {
  it('keeps people and user groups apart', () => {
    const read = readPolicy(`roles: {approver: [U01, S01, W02]}\n${CHANNELS}`);
    expect(read).toMatchObject({
      kind: 'policy',
      policy: {
        roles: { approver: { people: ['U01', 'W02'], userGroups: ['S01'] }, viewer: { people: [] } },
      },
    });
  });

  it('shows personal data to viewers in private and in no channel, unless it says otherwise', () => {
    const roles = 'roles: {approver: [U01]}';
    expect(readPolicy(`${roles}\n${CHANNELS}`)).toMatchObject({
      policy: { personal: 'viewer', personalChannels: [] },
    });
    expect(readPolicy(`${roles}\n${CHANNELS}\npersonal: operator\npersonalChannels: [C09]`)).toMatchObject({
      policy: { personal: 'operator', personalChannels: ['C09'] },
    });
  });

  it.each([
    ['nobody may approve', `roles: {operator: [U01]}\n${CHANNELS}`, 'roles.approver names nobody'],
    ['it is not YAML', 'roles: [', 'is not YAML'],
    ['it is empty', '', 'roles is missing'],
    [
      'a role is unknown',
      `roles: {boss: [U01], approver: [U02]}\n${CHANNELS}`,
      'roles has an unknown part: boss',
    ],
    [
      'personal data is for an unknown role',
      `roles: {approver: [U01]}\n${CHANNELS}\npersonal: everybody`,
      'personal must be the role from which on personal data is shown in private: viewer, operator',
    ],
    [
      'a channel for personal data is a name',
      `roles: {approver: [U01]}\n${CHANNELS}\npersonalChannels: [ops]`,
      'personalChannels.0 must be a channel id',
    ],
    ['there are no channels', 'roles: {approver: [U01]}', 'channels is missing'],
  ])('says so when %s', (_, text, line) => {
    const read = readPolicy(text);
    expect(read.kind === 'faults' ? read.faults.join('\n') : '').toContain(line);
  });
});
