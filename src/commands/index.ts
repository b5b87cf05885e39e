/** The registry of all commands: the one place where a new command is added. */

import { acceptRemovalsCommand } from './accept-removals.ts';
import { acknowledgeCommand } from './acknowledge.ts';
import { alertsCommand } from './alerts.ts';
import { approvalsCommand } from './approvals.ts';
import { auditCommand } from './audit.ts';
import { complianceCommand } from './compliance.ts';
import { type Command, createRegistry, type Registry } from './core/command.ts';
import { deviceCommand, queueCommand } from './device.ts';
import { deviceEditCommand } from './device-edit.ts';
import { devicesCommand } from './devices.ts';
import { eventsCommand } from './events.ts';
import { createExplainCommand } from './explain.ts';
import { groupCreateCommand, groupEditCommand } from './group-edits.ts';
import { groupCommand, groupsCommand } from './groups.ts';
import { createHelpCommand } from './help.ts';
import { missingCommand } from './missing.ts';
import { createAliasCommand, createSaveCommand, savedCommand } from './named-lines.ts';
import { operationsCommand } from './operations.ts';
import { organizationCommand } from './organization.ts';
import { packagesCommand } from './packages.ts';
import { patchCommand } from './patch.ts';
import { pauseCommand } from './pause.ts';
import { policiesCommand, policyCommand } from './policies.ts';
import { policyCreateCommand, policyEditCommand } from './policy-edits.ts';
import { policyRemediateCommand, policyRunCommand, policyTestCommand } from './policy-run.ts';
import { previewCommand } from './preview.ts';
import { deviceRemoveCommand, groupRemoveCommand } from './removals.ts';
import { rebootCommand, scanCommand } from './scan-and-reboot.ts';
import { silenceCommand } from './silence.ts';
import { statusCommand } from './status.ts';
import { subscribeCommand } from './subscribe.ts';
import { subscriptionsCommand, unsubscribeCommand } from './subscriptions.ts';
import { timezoneCommand } from './timezone.ts';

const commandsOf = (registry: Registry): readonly Command[] => [
  deviceCommand,
  devicesCommand,
  packagesCommand,
  missingCommand,
  queueCommand,
  eventsCommand,
  groupsCommand,
  groupCommand,
  policiesCommand,
  policyCommand,
  complianceCommand,
  previewCommand,
  organizationCommand,
  approvalsCommand,
  operationsCommand,
  auditCommand,
  statusCommand,
  scanCommand,
  patchCommand,
  rebootCommand,
  policyTestCommand,
  policyRemediateCommand,
  policyRunCommand,
  deviceEditCommand,
  groupCreateCommand,
  groupEditCommand,
  policyCreateCommand,
  policyEditCommand,
  deviceRemoveCommand,
  groupRemoveCommand,
  alertsCommand,
  acknowledgeCommand,
  subscribeCommand,
  unsubscribeCommand,
  subscriptionsCommand,
  silenceCommand,
  createAliasCommand(registry),
  createSaveCommand(registry),
  savedCommand,
  timezoneCommand,
  pauseCommand,
  acceptRemovalsCommand,
  createExplainCommand(registry),
  createHelpCommand(registry),
];

/** Words that are typed for a command, too; one name is shown. */
const SYNONYMS = {
  rollouts: 'operations',
  health: 'status',
  setup: 'help',
  version: 'status',
  errors: 'status',
};

export const registry: Registry = createRegistry(commandsOf, SYNONYMS);
