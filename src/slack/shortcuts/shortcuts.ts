/** Shortcuts: finding a device from anywhere, and acting on the one that a message speaks of. */
import type { Role } from '../../access.ts';
import type { SharedPorts } from '../../commands/command.ts';
import { devicesIn } from '../../commands/targets/mentioned.ts';
import { picker } from '../../commands/targets/resolve.ts';
import type { DeviceId, PersonId } from '../../ids.ts';
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
import { createPersonal, shownFrom } from '../personal.ts';
import { createRights, type RightsOptions } from '../rights.ts';
import type { SlackWeb } from '../web.ts';
import { type ShortcutMessage, shortcutSchema, spokenOf } from './shortcut-message.ts';
import { ACT_ON_DEVICE, FIND_DEVICE } from './shortcut-names.ts';

export type ShortcutsOptions = RightsOptions & {
  readonly dispatch: Pick<Dispatch, 'command'>;
  readonly ports: SharedPorts;
  /** Personal data is shown in private from this role on; absent: to whoever may look. */
  readonly personalFrom?: Role;
  readonly store: { readonly approvals: Pick<Store['approvals'], 'get'> };
  readonly web: Pick<SlackWeb, 'openView' | 'updateView'>;
  readonly directs: Directs;
  readonly openForm: OpenForm;
  readonly log: Log;
};

/** Takes the payload of a shortcut that was acknowledged. What it finds stands in a window. */
export function createShortcuts(options: ShortcutsOptions): (payload: unknown) => Promise<void> {
  const { dispatch, ports, store, web, directs, openForm, log } = options;
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
  const answer = async (person: PersonId, message: ShortcutMessage): Promise<View | null> => {
    const refused = await rights.refusal(person, 'read');
    if (refused !== null) return { kind: 'problem', problem: refused };
    const [first, ...others] = await spokenDevices(message);
    if (first === undefined) return null;
    const known = await indexed([first, ...others], ports);
    if (others.length > 0 && known.length > 1) {
      const again = (device: unknown) => ({ command: 'device', input: { device } });
      const seen = await personal.reading(person);
      return shownFrom(seen, await picker(null, known, again, { ...seen, asker: person }));
    }
    const channel = await directs.to(person);
    const id = known[0]?.id ?? first;
    return dispatch.command({
      name: 'device',
      input: { device: id },
      page: 0,
      caller: { person, channel },
      requestKey: `shortcut:${id}`,
    });
  };

  const show = async (viewId: string, view: View): Promise<void> => {
    const shown = await showAnswer(web, viewId, render(view), { depth: 1 });
    if (shown.kind === 'ok' || isClosed(shown)) return;
    log.warn({ event: 'shortcut.unanswered', reason: faultText(shown) }, 'a shortcut was not answered');
  };

  /** What is found stands in the window, too: a shortcut from anywhere has no channel. */
  const find = async (person: PersonId, viewId: string, note?: string): Promise<void> => {
    const caller = { person, channel: await directs.to(person) };
    const asked = {
      command: 'devices',
      given: note === undefined ? {} : { note },
      caller,
      inWindow: true,
    } as const;
    const instead = await openForm({ kind: 'replace', viewId, depth: 1 }, asked);
    if (instead !== null) await show(viewId, instead);
  };

  const act = async (person: PersonId, viewId: string, message: ShortcutMessage): Promise<void> => {
    const found = await answer(person, message).catch((thrown: unknown): View => {
      return { kind: 'problem', problem: failure({ what: ACT_ON_DEVICE, person, thrown }) };
    });
    if (found === null) return find(person, viewId, NONE_IN_MESSAGE);
    await show(viewId, found);
  };

  return async (payload) => {
    const { user, callback_id, trigger_id, message } = shortcutSchema.parse(payload);
    // At once: a trigger lives three seconds, and it has to be read who this is and what is meant.
    const opened = await web.openView(trigger_id, lookingWindow(1));
    if (opened.kind !== 'ok') {
      log.warn({ event: 'shortcut.unopened', reason: faultText(opened) }, 'no window for a shortcut');
      return;
    }
    if (callback_id === FIND_DEVICE) await find(user.id, opened.value);
    if (callback_id === ACT_ON_DEVICE && message !== undefined) await act(user.id, opened.value, message);
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
