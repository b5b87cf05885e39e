/** A dispatch for tests, with the parts that they override. */

import { registry } from '../../../src/commands/index.ts';
import { channelId, messageTs, personId } from '../../../src/lib/ids.ts';
import { type Log, silentLog } from '../../../src/lib/log.ts';
import type { AccessRefusals } from '../../../src/slack/access/access-refusals.ts';
import type { RoleLookup } from '../../../src/slack/access/role-lookup.ts';
import { createDispatch, type DispatchOptions } from '../../../src/slack/dispatch/dispatch.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup, aPolicy, START } from '../../harness/builders.ts';
import { NO_GROUPS } from '../../harness/rules.ts';
import { createFakeSlackWeb } from './fake-slack-web.ts';
import { withoutRecording } from './open-access.ts';

export const APPROVALS = channelId('C0APPROVALS');
export const OPS = channelId('C0OPS');
export const OPERATOR = personId('UOPERATOR');
export const caller = { person: OPERATOR, channel: OPS };

export const rejects = (): never => {
  throw new Error('the disk is full');
};

export type Parts = {
  readonly requests?: Partial<DispatchOptions['requests']>;
  readonly stored?: readonly RequestWithTargets[];
  readonly roleOf?: RoleLookup['roleOf'];
  readonly settings?: ReturnType<typeof createFakeSettings>;
  readonly log?: Log;
  readonly noted?: AccessRefusals['recordRefusal'];
  readonly given?: Partial<DispatchOptions>;
};

/** A dispatch over a small fleet; ports that are not given refuse every call. */
export function createTestDispatch({
  requests = {},
  stored = [],
  roleOf = async () => ({ role: 'operator', maybe: null }),
  settings = createFakeSettings(),
  log = silentLog,
  noted: recordRefusal = withoutRecording,
  given = {},
}: Parts = {}) {
  const content = { devices: [aDevice({ tags: ['web'] })], groups: [aGroup()], policies: [aPolicy()] };
  const { ports, fleet } = testPorts(content, { requests: stored });
  const dispatch = createDispatch({
    recordRefusal,
    registry,
    ports,
    settings,
    people: { roleOf, ...NO_GROUPS },
    requests: {
      record: async () => rejects(),
      withdraw: async () => rejects(),
      control: async () => rejects(),
      openWindow: async () => rejects(),
      window: async () => null,
      submitWindow: async () => rejects(),
      approverGroups: () => [],
      ...requests,
    },
    cards: {
      whenPosted: async () => ({
        kind: 'posted',
        message: { channel: APPROVALS, ts: messageTs('1.000001') },
      }),
    },
    web: createFakeSlackWeb(() => START),
    approvalsChannel: APPROVALS,
    root: '/fleet',
    admins: () => [personId('U0ADMIN')],
    log,
    ...given,
  });
  return { dispatch, fleet };
}
