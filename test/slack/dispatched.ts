/** A dispatch for tests, with the parts that they give. */
import type { Desk } from '../../src/approvals/desk.ts';
import { registry } from '../../src/commands/index.ts';
import { channelId, messageTs, personId } from '../../src/ids.ts';
import { type Log, silentLog } from '../../src/log.ts';
import { createDispatch } from '../../src/slack/dispatch.ts';
import type { People } from '../../src/slack/people.ts';
import type { Refusals } from '../../src/slack/refusals.ts';
import { createFakeSettings } from '../commands/fake-settings.ts';
import { testPorts } from '../commands/ports.ts';
import { aDevice, aGroup, aPolicy, START } from '../harness/builders.ts';
import { unnoted } from './doors.ts';
import { createFakeWeb } from './fake-web.ts';

export const APPROVALS = channelId('C0APPROVALS');
export const OPS = channelId('C0OPS');
export const OPERATOR = personId('UOPERATOR');
export const caller = { person: OPERATOR, channel: OPS };

export const refuses = (): never => {
  throw new Error('the disk is full');
};

export type Parts = {
  readonly desk?: Partial<Desk>;
  readonly roleOf?: People['roleOf'];
  readonly settings?: ReturnType<typeof createFakeSettings>;
  readonly log?: Log;
  readonly noted?: Refusals['noted'];
};

/** A dispatch over a small fleet; what it needs of others is refused unless it is given. */
export function aDispatch({
  desk = {},
  roleOf = async () => ({ role: 'operator', maybe: null }),
  settings = createFakeSettings(),
  log = silentLog,
  noted = unnoted,
}: Parts = {}) {
  const { ports, fleet } = testPorts({
    devices: [aDevice({ tags: ['web'] })],
    groups: [aGroup()],
    policies: [aPolicy()],
  });
  const dispatch = createDispatch({
    noted,
    registry,
    ports,
    settings,
    people: { roleOf },
    desk: {
      request: async () => refuses(),
      decide: async () => refuses(),
      addReason: async () => refuses(),
      expire: async () => refuses(),
      withdrawUnposted: async () => refuses(),
      ...desk,
    },
    cards: {
      whenPosted: async () => ({ kind: 'posted', place: { channel: APPROVALS, ts: messageTs('1.000001') } }),
    },
    web: createFakeWeb(() => START),
    approvalsChannel: APPROVALS,
    root: '/fleet',
    admins: [personId('U0ADMIN')],
    log,
  });
  return { dispatch, fleet };
}
