/** Joins the parts of forms: opening, live changes, searching menus, submission. */
import type { SharedPorts } from '../../commands/core/command.ts';
import type { SettingsPort } from '../../commands/settings/settings-port.ts';
import type { Role } from '../../lib/access.ts';
import type { Log } from '../../lib/log.ts';
import type { AccessRefusals } from '../access/access-refusals.ts';
import { createPermissions, type PermissionsOptions } from '../access/permissions.ts';
import { createPersonalDataAccess } from '../access/personal-data.ts';
import type { CachedRoleLookup, RoleLookup } from '../access/role-lookup.ts';
import type { InFlight } from '../dispatch/in-flight.ts';
import type { Acknowledge } from '../interactions/button-actions.ts';
import type { AcknowledgeForm } from '../replies/answer-windows.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import { isFormPayload } from './form-payloads.ts';
import { createFormRefresh } from './form-refresh.ts';
import { type AcknowledgeOptions, createMenuOptions } from './menu-options.ts';
import { createFormWindows, type OpenForm } from './open-form.ts';
import {
  createSubmissionQueue,
  type SubmissionQueue,
  type SubmissionQueueOptions,
} from './submission-queue.ts';
import { createFormSubmit, type FormSubmitOptions } from './submit-form.ts';

export type Forms = {
  readonly open: OpenForm;
  /** Whether a press or a submission is from a form. */
  readonly isFormPayload: (payload: unknown) => boolean;
  readonly onPress: (payload: unknown, ack: Acknowledge) => Promise<void>;
  readonly onSubmit: (payload: unknown, ack: AcknowledgeForm) => Promise<void>;
  readonly onOptions: (payload: unknown, ack: AcknowledgeOptions) => Promise<void>;
  /** Handler of `form` work. */
  readonly handleWork: SubmissionQueue['handleWork'];
};

export type FormsOptions = Omit<FormSubmitOptions, 'people' | 'submissions' | 'onSubmitted'> &
  Pick<PermissionsOptions, 'admins'> &
  Pick<SubmissionQueueOptions, 'store' | 'sendEphemeral' | 'sendDirect' | 'onFailpoint'> & {
    readonly people: RoleLookup & CachedRoleLookup;
    readonly inFlight: Pick<InFlight, 'untilRestart'>;
    readonly ports: SharedPorts;
    /** The lowest role that sees personal data in private; absent: everybody who may read. */
    readonly personalFrom?: Role;
    readonly settings: SettingsPort;
    readonly recordRefusal: AccessRefusals['recordRefusal'];
    readonly web: Pick<SlackWeb, 'showView'>;
    readonly root: string;
    readonly log: Log;
  };

export function createForms(options: FormsOptions): Forms {
  const { ports, dispatch, inFlight } = options;
  const windows = createFormWindows({
    ...options,
    rights: createPermissions(options),
    personal: createPersonalDataAccess(options),
  });
  const submissions = createSubmissionQueue({ ...options, clock: ports.clock });
  const change = createFormRefresh({ ...options, windows });
  return {
    open: windows.open,
    isFormPayload: isFormPayload,
    onPress: change.onChange,
    onSubmit: createFormSubmit({
      ...options,
      dispatch: { runCommand: (order) => inFlight.untilRestart(() => dispatch.runCommand(order)) },
      submissions,
      onSubmitted: change.onSubmitted,
    }),
    onOptions: createMenuOptions({ ...options, inventory: ports.inventory }),
    handleWork: submissions.handleWork,
  };
}
