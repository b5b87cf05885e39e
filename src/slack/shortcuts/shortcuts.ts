import { z } from 'zod';
import type { SharedPorts } from '../../commands/core/command.ts';
import { mentionsIn } from '../../commands/targets/device-mentions.ts';
import { devicePicker } from '../../commands/targets/resolve-device.ts';
import type { IndexedDevice } from '../../inventory/inventory.ts';
import type { Role } from '../../lib/access.ts';
import { channelId, type DeviceId, deviceId, personId, type RequestId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { TargetStore } from '../../store/port/request-records.ts';
import { NONE_IN_MESSAGE } from '../../views/forms/form-error-text.ts';
import { loadingWindow } from '../../views/kit/answer-window.ts';
import { readButtonValue } from '../../views/kit/buttons.ts';
import { renderView, type View } from '../../views/views.ts';
import type { AccessRefusals } from '../access/access-refusals.ts';
import {
  createPermissions,
  createPersonalDataAccess,
  type PermissionsOptions,
  visibleTo,
} from '../access/permissions.ts';
import type { Dispatch, InFlight } from '../dispatch/dispatch-port.ts';
import { createErrorReporter } from '../dispatch/unexpected-errors.ts';
import type { OpenForm } from '../forms/open-form.ts';
import {
  type CommandSource,
  type DirectChannels,
  isWindowClosed,
  type SendReply,
  showAnswer,
} from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

export type ShortcutsOptions = PermissionsOptions & {
  readonly dispatch: Pick<Dispatch, 'runCommand'>;
  readonly inFlight: Pick<InFlight, 'untilRestart'>;
  readonly recordRefusal: AccessRefusals['recordRefusal'];
  readonly ports: SharedPorts;
  /** The lowest role that sees personal data in private; absent: everybody who may read. */
  readonly personalFrom?: Role;
  readonly store: { readonly targets: Pick<TargetStore, 'of'> };
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly directs: DirectChannels;
  readonly openForm: OpenForm;
  /** Sends what no window shows. */
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

/** Who used a shortcut; it has no channel. */
type ShortcutUse = {
  readonly caller: CommandSource;
  readonly triggerId: string;
  /** The window that says “Looking…”; null: none was opened. */
  readonly viewId: string | null;
};

/** Handles an acknowledged shortcut. The answer goes to a window. */
export function createShortcuts(options: ShortcutsOptions): (payload: unknown) => Promise<void> {
  const { inFlight, web, directs, openForm, reply, log } = options;
  const answer = createMessageAnswer(options);
  const failure = createErrorReporter(log);

  const show = async ({ caller, viewId }: ShortcutUse, view: View): Promise<void> => {
    if (viewId !== null) {
      const updated = await showAnswer(web, viewId, renderView(view), { depth: 1 });
      if (updated.kind === 'ok' || isWindowClosed(updated)) return;
      log.warn(
        { event: 'shortcut.unanswered', reason: slackErrorText(updated) },
        'could not show the answer to a shortcut',
      );
    }
    await reply(caller)(view);
  };

  const find = async (user: ShortcutUse, note?: string): Promise<void> => {
    const { caller, triggerId, viewId } = user;
    const prefill = note === undefined ? {} : { note };
    const asked = { command: 'devices', prefill, caller, inWindow: true } as const;
    const instead = await openForm(
      viewId === null ? { kind: 'open', triggerId } : { kind: 'replace', viewId, depth: 1 },
      asked,
    );
    if (instead !== null) await show(user, instead);
  };

  const act = async (user: ShortcutUse, message: ShortcutMessage): Promise<void> => {
    const { person } = user.caller;
    const looking = inFlight.untilRestart(() => answer(user.caller, message));
    const found = await looking.catch((thrown: unknown): View => {
      return { kind: 'problem', problem: failure({ what: ACT_ON_DEVICE_SHORTCUT, person, thrown }) };
    });
    return found === null ? find(user, NONE_IN_MESSAGE) : show(user, found);
  };

  return async (payload) => {
    const { user, callback_id, trigger_id: triggerId, message } = shortcutSchema.parse(payload);
    // Opened at once: a trigger expires after three seconds, and the person and the devices have to be read first.
    const opened = await web.showView({ kind: 'open', triggerId }, loadingWindow(1));
    if (opened.kind !== 'ok')
      log.warn(
        { event: 'shortcut.unopened', reason: slackErrorText(opened) },
        'could not open a window for a shortcut',
      );
    const viewId = opened.kind === 'ok' ? opened.value.id : null;
    const caller = { person: user.id, channel: await directs.channelOf(user.id) };
    const who = { caller, triggerId, viewId };
    if (callback_id === FIND_DEVICE_SHORTCUT) await find(who);
    if (callback_id === ACT_ON_DEVICE_SHORTCUT && message !== undefined) await act(who, message);
  };
}

/** Shows the device that a message names, or a choice of several; null: it names none. */
function createMessageAnswer(options: ShortcutsOptions) {
  const { dispatch, recordRefusal, ports, store } = options;
  const rights = createPermissions(options);
  const personal = createPersonalDataAccess(options);

  const spokenDevices = async (message: ShortcutMessage): Promise<readonly DeviceId[]> => {
    const { texts, devices, requests } = referencesIn(message);
    if (devices.length > 0) return devices;
    const targets = await Promise.all(
      requests.map((id) => store.targets.of(id, { limit: MAX_NAMED_DEVICES })),
    );
    const ids = targets.flat().flatMap(({ deviceId }) => deviceId ?? []);
    return ids.length > 0 ? ids : [...(await mentionsIn(texts, ports)).devices.keys()];
  };

  return async (caller: CommandSource, message: ShortcutMessage): Promise<View | null> => {
    const { person } = caller;
    const refused = await rights.refusal(person, 'read');
    if (refused !== null)
      return recordRefusal(person, ACT_ON_DEVICE_SHORTCUT, { kind: 'problem', problem: refused });
    const [first, ...others] = await spokenDevices(message);
    if (first === undefined) return null;
    const known = await knownDevices([first, ...others], ports);
    if (others.length > 0 && known.length > 1) {
      const again = (device: unknown) => ({ command: 'device', input: { device } });
      const seen = await personal.reading(person);
      return visibleTo(seen, await devicePicker(null, known, again, { ...seen, asker: person }));
    }
    const id = known[0]?.id ?? first;
    return dispatch.runCommand({
      name: 'device',
      input: { device: id },
      page: 0,
      caller,
      requestKey: `shortcut:${id}`,
    });
  };
}

/** A picker shows fewer. */
const MAX_NAMED_DEVICES = 100;

/** Those in the index, each once; a device that left the fleet is no choice. */
async function knownDevices(
  ids: readonly DeviceId[],
  { inventory }: SharedPorts,
): Promise<readonly IndexedDevice[]> {
  const found = await Promise.all(ids.map((id) => inventory.find(`#${id}`)));
  return found.flatMap((one) => (one.kind === 'one' ? [one.device] : []));
}

const shortcutSchema = z.object({
  user: z.object({ id: z.string().transform(personId) }),
  callback_id: z.string(),
  trigger_id: z.string(),
  channel: z.object({ id: z.string().transform(channelId) }).optional(),
  message: z
    .object({
      text: z.string().default(''),
      blocks: z.unknown().optional(),
      attachments: z.unknown().optional(),
    })
    .optional(),
});
type ShortcutMessage = NonNullable<z.output<typeof shortcutSchema>['message']>;

type MessageReferences = {
  readonly texts: readonly string[];
  readonly devices: readonly DeviceId[];
  readonly requests: readonly RequestId[];
};

const aboutDevice = z.object({ device: z.int().positive().transform(deviceId) });

/** All texts of the message, and the values of its buttons. */
function referencesIn({ text, blocks, attachments }: ShortcutMessage): MessageReferences {
  const texts: string[] = [text];
  const devices = new Set<DeviceId>();
  const requests = new Set<RequestId>();
  JSON.stringify([blocks, attachments], (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (key === 'text') texts.push(value);
    const button = key === 'value' ? readButtonValue(value) : null;
    switch (button?.do) {
      case 'device':
        devices.add(button.device);
        break;
      case 'run':
      case 'form': {
        const about = aboutDevice.safeParse(button.input);
        if (about.success) devices.add(about.data.device);
        break;
      }
      case 'decide':
        requests.add(button.approval);
        break;
    }
    return value;
  });
  return { texts, devices: [...devices], requests: [...requests] };
}

/** `callback_id` of the shortcuts, shared by the manifest and the listener. */
export const FIND_DEVICE_SHORTCUT = 'find_device';
export const ACT_ON_DEVICE_SHORTCUT = 'act_on_device';
