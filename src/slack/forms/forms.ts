/** Windows with fields, joined: opening them, changes in them, menus that search, and their submission. */
import type { Role } from '../../access.ts';
import type { SharedPorts } from '../../commands/command.ts';
import type { Settings } from '../../commands/settings.ts';
import type { Log } from '../../log.ts';
import type { Ack, FormAck } from '../actions.ts';
import type { InFlight } from '../in-flight.ts';
import type { KnownPeople, People } from '../people.ts';
import { createPersonal } from '../personal.ts';
import type { Refusals } from '../refusals.ts';
import { createRights, type RightsOptions } from '../rights.ts';
import type { SlackWeb } from '../web.ts';
import { createFormChange } from './forms-change.ts';
import { createKeptForms, type KeptForms, type KeptFormsOptions } from './forms-kept.ts';
import { isInForm } from './forms-payloads.ts';
import { createFormSubmit, type FormSubmitOptions } from './forms-submit.ts';
import { createFormSuggest, type OptionsAck } from './forms-suggest.ts';
import { createFormWindows, type OpenForm } from './forms-window.ts';

export type Forms = {
  readonly open: OpenForm;
  /** Whether a press or a submission is one in a form. */
  readonly takes: (payload: unknown) => boolean;
  readonly press: (payload: unknown, ack: Ack) => Promise<void>;
  readonly submit: (payload: unknown, ack: FormAck) => Promise<void>;
  readonly suggest: (payload: unknown, ack: OptionsAck) => Promise<void>;
  /** Handler of `form` work. */
  readonly workOff: KeptForms['workOff'];
};

export type FormsOptions = Omit<FormSubmitOptions, 'people' | 'kept' | 'onSent'> &
  Pick<RightsOptions, 'admins'> &
  Pick<KeptFormsOptions, 'store' | 'whisper' | 'direct' | 'onStep'> & {
    readonly people: People & KnownPeople;
    readonly inFlight: Pick<InFlight, 'orRestarting'>;
    readonly ports: SharedPorts;
    /** Personal data is shown in private from this role on; absent: to whoever may look. */
    readonly personalFrom?: Role;
    readonly settings: Settings;
    readonly noted: Refusals['noted'];
    readonly web: Pick<SlackWeb, 'openView' | 'pushView' | 'updateView' | 'redrawView'>;
    readonly root: string;
    readonly log: Log;
  };

export function createForms(options: FormsOptions): Forms {
  const { ports, dispatch, inFlight } = options;
  const windows = createFormWindows({
    ...options,
    rights: createRights(options),
    personal: createPersonal(options),
  });
  const kept = createKeptForms({ ...options, clock: ports.clock });
  const change = createFormChange({ ...options, windows });
  return {
    open: windows.open,
    takes: isInForm,
    press: change.press,
    submit: createFormSubmit({
      ...options,
      dispatch: { command: (order) => inFlight.orRestarting(() => dispatch.command(order)) },
      kept,
      onSent: change.over,
    }),
    suggest: createFormSuggest({ ...options, inventory: ports.inventory }),
    workOff: kept.workOff,
  };
}
