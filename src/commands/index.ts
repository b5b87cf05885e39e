/** The registry of all commands: the one place where a new command is added. */

import { acknowledge } from './acknowledge.ts';
import { alerts } from './alerts.ts';
import { createAlias } from './alias.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { compliance } from './compliance.ts';
import { device } from './device.ts';
import { deviceEdit } from './device-edit.ts';
import { devices } from './devices.ts';
import { events } from './events.ts';
import { createExplain } from './explain.ts';
import { group } from './group.ts';
import { groupCreate } from './group-create.ts';
import { groupEdit } from './group-edit.ts';
import { groups } from './groups.ts';
import { createHelp } from './help.ts';
import { missing } from './missing.ts';
import { operations } from './operations.ts';
import { organization } from './organization.ts';
import { packages } from './packages.ts';
import { patch } from './patch.ts';
import { pause } from './pause.ts';
import { policies } from './policies.ts';
import { policy } from './policy.ts';
import { policyRemediate } from './policy-remediate.ts';
import { policyTest } from './policy-test.ts';
import { preview } from './preview.ts';
import { queue } from './queue.ts';
import { reboot } from './reboot.ts';
import { createRegistry, type Registry } from './registry.ts';
import { createSave } from './save.ts';
import { saved } from './saved.ts';
import { scan } from './scan.ts';
import { silence } from './silence.ts';
import { status } from './status.ts';
import { subscribe } from './subscribe.ts';
import { subscriptions } from './subscriptions.ts';
import { timezone } from './timezone.ts';
import { unsubscribe } from './unsubscribe.ts';

export const registry: Registry = createRegistry([
  device,
  devices,
  packages,
  missing,
  queue,
  events,
  groups,
  group,
  policies,
  policy,
  compliance,
  preview,
  organization,
  approvals,
  operations,
  audit,
  status,
  scan,
  patch,
  reboot,
  policyTest,
  policyRemediate,
  deviceEdit,
  groupCreate,
  groupEdit,
  alerts,
  acknowledge,
  subscribe,
  unsubscribe,
  subscriptions,
  silence,
  createAlias(() => registry),
  createSave(() => registry),
  saved,
  timezone,
  pause,
  createExplain(() => registry),
  createHelp(() => registry),
]);
