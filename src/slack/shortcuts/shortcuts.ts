/** Shortcuts: finding a device from anywhere, and acting on the one that a message speaks of. */
import type { Role } from '../../access.ts';
import type { SharedPorts } from '../../commands/command.ts';
import { devicesIn } from '../../commands/targets/mentioned.ts';
import { picker } from '../../commands/targets/resolve.ts';
import type { DeviceId } from '../../ids.ts';
import type { IndexedDevice } from '../../inventory/inventory.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import { NONE_IN_MESSAGE } from '../../views/forms/form-words.ts';
import { lookingWindow } from '../../views/kit/answer-window.ts';
import type { View } from '../../views/model.ts';
import { render } from '../../views/render.ts';
import { isClosed, showAnswer } from '../answer-windows.ts';
import type { Directs } from '../directs.ts';
import type { Dispatch } from '../dispatch.ts';
import { createFailure } from '../failure.ts';
import { faultText } from '../faults.ts';
import type { OpenForm } from '../forms/forms-window.ts';
import type { InFlight } from '../in-flight.ts';
import { createPersonal, shownFrom } from '../personal.ts';
import type { Refusals } from '../refusals.ts';
import type { Caller, Reply } from '../replies.ts';
import { createRights, type RightsOptions } from '../rights.ts';
import type { SlackWeb } from '../web.ts';
import { type ShortcutMessage, shortcutSchema, spokenOf } from './shortcut-message.ts';
import { ACT_ON_DEVICE, FIND_DEVICE } from './shortcut-names.ts';

export type ShortcutsOptions = RightsOptions & {
  readonly dispatch: Pick<Dispatch, 'command'>;
  readonly inFlight: Pick<InFlight, 'orRestarting'>;
  /** Keeps what was refused. */
  readonly noted: Refusals['noted'];
  readonly ports: SharedPorts;
  /** Personal data is shown in private from this role on; absent: to whoever may look. */
  readonly personalFrom?: Role;
  readonly store: { readonly approvals: Pick<Store['approvals'], 'get'> };
  readonly web: Pick<SlackWeb, 'openView' | 'updateView'>;
  readonly directs: Directs;
  readonly openForm: OpenForm;
  /** Says what no window shows. */
  readonly tell: (caller: Caller) => Reply;
  readonly log: Log;
};

/** Who used a shortcut: it has no channel. */
type User = {
  readonly caller: Caller;
  readonly triggerId: string;
  /** The window that stands there looking; null: none was opened. */
  readonly viewId: string | null;
};

/** Takes the payload of a shortcut that was acknowledged. What it finds stands in a window. */
export function createShortcuts(options: ShortcutsOptions): (payload: unknown) => Promise<void> {
  const { dispatch, inFlight, noted, ports, store, web, directs, openForm, tell, log } = options;
  const rights = createRights(options);
  const personal = createPersonal(options);
  const failure = createFailure(log);

  const spokenDevices = async (message: ShortcutMessage): Promise<readonly DeviceId[]> => {
    const { texts, devices, approvals } = spokenOf(message);
    if (devices.length > 0) return devices;
    const asked = await Promise.all(approvals.map((id) => store.approvals.get(id)));
    const targets = asked.flatMap((approval) => approval?.targets ?? []);
    const ids = targets.flatMap(({ deviceId }) => deviceId ?? []);
    return ids.length > 0 ? ids : devicesIn(texts, ports);
  };

  /** Null: no device was found. */
  const answer = async (caller: Caller, message: ShortcutMessage): Promise<View | null> => {
    const { person } = caller;
    const refused = await rights.refusal(person, 'read');
    if (refused !== null) return noted(person, ACT_ON_DEVICE, { kind: 'problem', problem: refused });
    const [first, ...others] = await spokenDevices(message);
    if (first === undefined) return null;
    const known = await indexed([first, ...others], ports);
    if (others.length > 0 && known.length > 1) {
      const again = (device: unknown) => ({ command: 'device', input: { device } });
      const seen = await personal.reading(person);
      return shownFrom(seen, await picker(null, known, again, { ...seen, asker: person }));
    }
    const id = known[0]?.id ?? first;
    return dispatch.command({
      name: 'device',
      input: { device: id },
      page: 0,
      caller,
      requestKey: `shortcut:${id}`,
    });
  };

  const show = async ({ caller, viewId }: User, view: View): Promise<void> => {
    if (viewId !== null) {
      const shown = await showAnswer(web, viewId, render(view), { depth: 1 });
      if (shown.kind === 'ok' || isClosed(shown)) return;
      log.warn(
        { event: 'shortcut.unanswered', reason: faultText(shown) },
        'could not show the answer to a shortcut',
      );
    }
    await tell(caller)(view);
  };

  const find = async (user: User, note?: string): Promise<void> => {
    const { caller, triggerId, viewId } = user;
    const given = note === undefined ? {} : { note };
    const asked = { command: 'devices', given, caller, inWindow: true } as const;
    const instead = await openForm(
      viewId === null ? { kind: 'open', triggerId } : { kind: 'replace', viewId, depth: 1 },
      asked,
    );
    if (instead !== null) await show(user, instead);
  };

  const act = async (user: User, message: ShortcutMessage): Promise<void> => {
    const { person } = user.caller;
    const looking = inFlight.orRestarting(() => answer(user.caller, message));
    const found = await looking.catch((thrown: unknown): View => {
      return { kind: 'problem', problem: failure({ what: ACT_ON_DEVICE, person, thrown }) };
    });
    return found === null ? find(user, NONE_IN_MESSAGE) : show(user, found);
  };

  return async (payload) => {
    const { user, callback_id, trigger_id: triggerId, message } = shortcutSchema.parse(payload);
    // At once: a trigger lives three seconds, and it has to be read who this is and what is meant.
    const opened = await web.openView(triggerId, lookingWindow(1));
    if (opened.kind !== 'ok')
      log.warn(
        { event: 'shortcut.unopened', reason: faultText(opened) },
        'could not open a window for a shortcut',
      );
    const viewId = opened.kind === 'ok' ? opened.value : null;
    const caller = { person: user.id, channel: await directs.to(user.id) };
    const who = { caller, triggerId, viewId };
    if (callback_id === FIND_DEVICE) await find(who);
    if (callback_id === ACT_ON_DEVICE && message !== undefined) await act(who, message);
  };
}

/** Those that the index has, each once: what left the fleet is not chosen among. */
async function indexed(
  ids: readonly DeviceId[],
  { inventory }: SharedPorts,
): Promise<readonly IndexedDevice[]> {
  const found = await Promise.all(ids.map((id) => inventory.find(`#${id}`)));
  return found.flatMap((one) => (one.kind === 'one' ? [one.device] : []));
}
