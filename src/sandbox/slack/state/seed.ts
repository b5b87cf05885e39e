/** Users, groups and channels of the workspace at its start. */
export type WorkspaceRole = 'operator' | 'approver' | 'viewer' | 'admin' | 'outsider';

/** In seconds: when everything here was made and last changed, for times that the workspace does not keep. */
export const SEEDED_AT = 1_600_000_000;

export const SEEDED_PEOPLE: readonly {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly role: WorkspaceRole;
}[] = [
  { id: 'U0OPERATOR1', name: 'operator', realName: 'Olive Operator', role: 'operator' },
  { id: 'U0OPERATOR2', name: 'operator2', realName: 'Otto Operator', role: 'operator' },
  { id: 'U0APPROVER1', name: 'approver', realName: 'Ada Approver', role: 'approver' },
  { id: 'U0APPROVER2', name: 'approver2', realName: 'Arno Approver', role: 'approver' },
  { id: 'U0VIEWER001', name: 'viewer', realName: 'Vera Viewer', role: 'viewer' },
  { id: 'U0ADMIN0001', name: 'admin', realName: 'Amir Admin', role: 'admin' },
  { id: 'U0OUTSIDER1', name: 'outsider', realName: 'Ole Outsider', role: 'outsider' },
];

const everyone = SEEDED_PEOPLE.map(({ id }) => id);
const insiders = SEEDED_PEOPLE.filter(({ role }) => role !== 'outsider').map(({ id }) => id);
const deciders = SEEDED_PEOPLE.filter(({ role }) => ['operator', 'approver', 'admin'].includes(role)).map(
  ({ id }) => id,
);

/** Members of the private channel: one operator, but not the other. */
const secretive = ['U0OPERATOR2', 'U0ADMIN0001'];

export const SEEDED_CHANNELS: readonly {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly withBot: boolean;
  readonly archived?: true;
  readonly isPrivate?: true;
}[] = [
  { id: 'C0OPS000001', name: 'ops', members: insiders, withBot: true },
  { id: 'C0APPROVALS', name: 'approvals', members: deciders, withBot: true },
  { id: 'C0PATCHALRT', name: 'patch-alerts', members: insiders, withBot: true },
  { id: 'C0NEWDEVICE', name: 'new-devices', members: insiders, withBot: true },
  { id: 'C0RANDOM001', name: 'random', members: everyone, withBot: false },
  { id: 'C0SECRET001', name: 'secret-team', members: secretive, withBot: true, isPrivate: true },
  { id: 'C0OLDALERTS', name: 'old-alerts', members: insiders, withBot: true, archived: true },
];

export const SEEDED_USER_GROUPS: readonly {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
}[] = [
  {
    id: 'S0APPROVERS',
    handle: 'fleet-approvers',
    name: 'Fleet approvers',
    users: ['U0APPROVER1', 'U0APPROVER2'],
  },
  {
    id: 'S0OPERATORS',
    handle: 'fleet-operators',
    name: 'Fleet operators',
    users: ['U0OPERATOR1', 'U0OPERATOR2'],
  },
];
