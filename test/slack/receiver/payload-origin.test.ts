/** Whose payload it is. */
import { describe, expect, it } from 'vitest';
import { foreignOriginOf, type OwnInstallation } from '../../../src/slack/access/access-refusals.ts';

const TEAM = { teamId: 'T1', enterpriseId: null, isOrgWide: false };
const home: OwnInstallation = { ...TEAM, appId: 'A1', otherTeams: [] };
const grid: OwnInstallation = { ...home, enterpriseId: 'E1' };
const orgWide: OwnInstallation = { ...grid, teamId: 'E1', isOrgWide: true };

const press = {
  type: 'block_actions',
  api_app_id: 'A1',
  team: { id: 'T1' },
  enterprise: null,
  is_enterprise_install: false,
  user: { id: 'U1', team_id: 'T1' },
};
const command = {
  command: '/fleet',
  api_app_id: 'A1',
  team_id: 'T1',
  user_id: 'U1',
  is_enterprise_install: 'false',
};
const event = {
  type: 'event_callback',
  api_app_id: 'A1',
  team_id: 'T1',
  authorizations: [{ team_id: 'T1', enterprise_id: null, is_enterprise_install: false }],
  is_ext_shared_channel: false,
  event: { type: 'message', user: 'U1', user_team: 'T1' },
};

const inEnterprise = (id: string) => ({ ...event, authorizations: [{ team_id: 'T1', enterprise_id: id }] });
const E1 = { enterprise: { id: 'E1' } };
const E2 = { enterprise: { id: 'E2' } };
const inTeam = (id: string | null, more: object = {}) => ({ ...press, team: id && { id }, ...more });
const from = (team_id?: string) => ({ user: { id: 'U1', team_id } });

describe('a payload', () => {
  it.each<[string, object, OwnInstallation]>([
    ['of a press', press, home],
    ['of a command', command, home],
    ['of an event', event, home],
    ['with odd fields', { ...command, team: 7, user: null, authorizations: {}, api_app_id: [] }, home],
    ['of an app while ours is not known', { ...press, api_app_id: 'A2' }, { ...home, appId: null }],
    ['of our enterprise', { ...press, ...E1 }, grid],
    ['of a team that the file names', inTeam('T2', from('T2')), { ...home, otherTeams: ['T2'] }],
    [
      'of an event in a channel of two teams, for ours',
      { ...event, team_id: 'T2', authorizations: [{ team_id: 'T2' }, { team_id: 'T1' }] },
      home,
    ],
    [
      'of a window that was opened from another team',
      inTeam('T2', { ...from(), view: { app_installed_team_id: 'T1' } }),
      home,
    ],
    ['of any team of the enterprise, for all of it', inTeam('T3', { ...E1, ...from('T3') }), orgWide],
    [
      'of an event within the enterprise, for all of it',
      {
        ...event,
        authorizations: [{ team_id: null, enterprise_id: 'E1', is_enterprise_install: true }],
        event: { type: 'message', user: 'U3', user_team: 'T3' },
      },
      orgWide,
    ],
    ['of the enterprise without a team', inTeam(null, { ...E1, ...from() }), orgWide],
  ])('%s is ours', (_, payload, ours) => {
    expect(foreignOriginOf(ours, { ...payload })).toBeNull();
  });

  it.each<[string, object, OwnInstallation, string]>([
    ['of another app', { ...press, api_app_id: 'A2' }, home, 'app A2'],
    ['of another team', inTeam('T2'), home, 'team T2'],
    ['of a command in another team', { ...command, team_id: 'T2' }, home, 'team T2'],
    ['of an event for another team', { ...event, authorizations: [{ team_id: 'T2' }] }, home, 'team T2'],
    ['of another enterprise', { ...press, ...E2 }, grid, 'enterprise E2'],
    ['of an enterprise, for a team of none', { ...press, ...E2 }, home, 'enterprise E2'],
    ['of an enterprise by command', { ...command, enterprise_id: 'E2' }, home, 'enterprise E2'],
    ['of an event of another enterprise', inEnterprise('E2'), home, 'enterprise E2'],
    ['that says nothing of where it comes from', { type: 'shortcut', user: { id: 'U1' } }, home, 'team none'],
    ['that names the team of its person alone', inTeam(null), home, 'team none'],
    ['of a command without a team', { ...command, team_id: undefined }, home, 'team none'],
    ['of an event without a team', { ...event, team_id: undefined, authorizations: [] }, home, 'team none'],
    ['of a team that is no text', { ...command, team_id: ['T1'] }, home, 'team none'],
    ['without a team, of our enterprise', inTeam(null, E1), grid, 'team none'],
    ['without a team or an enterprise, for all of ours', inTeam(null), orgWide, 'team none'],
    ['of another enterprise, without a team', inTeam(null, { ...E2, ...from() }), grid, 'enterprise E2'],
    ['for a whole enterprise that is not ours', inTeam('T3', E2), orgWide, 'team T3'],
    ['of a person of another team', { ...press, ...from('T2') }, home, 'person T2'],
    [
      'of words of a person of another team',
      { ...event, is_ext_shared_channel: true, event: { type: 'message', user: 'U2', user_team: 'T2' } },
      home,
      'person T2',
    ],
    [
      'of words of somebody outside the enterprise',
      {
        ...event,
        authorizations: [{ enterprise_id: 'E1', is_enterprise_install: true }],
        is_ext_shared_channel: true,
        event: { type: 'app_mention', user: 'U2', source_team: 'T9' },
      },
      orgWide,
      'person T9',
    ],
    [
      'of a press by somebody outside the enterprise',
      inTeam('T3', { ...E1, ...from('T9') }),
      orgWide,
      'person T9',
    ],
  ])('%s is not', (_, payload, ours, expected) => {
    const foreign = foreignOriginOf(ours, { ...payload });
    expect(`${foreign?.what} ${foreign?.id}`).toBe(expected);
  });
});
