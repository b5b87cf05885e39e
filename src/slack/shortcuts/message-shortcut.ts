/** The message of a shortcut: its texts, and the devices that its buttons name. */
import { z } from 'zod';
import { channelId, type DeviceId, deviceId, personId, type RequestId } from '../../lib/ids.ts';
import { readButtonValue } from '../../views/kit/buttons.ts';

export const shortcutSchema = z.object({
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
export type ShortcutMessage = NonNullable<z.output<typeof shortcutSchema>['message']>;

export type MessageReferences = {
  readonly texts: readonly string[];
  readonly devices: readonly DeviceId[];
  readonly requests: readonly RequestId[];
};

const aboutDevice = z.object({ device: z.int().positive().transform(deviceId) });

/** All texts of the message, and the values of its buttons. */
export function referencesIn({ text, blocks, attachments }: ShortcutMessage): MessageReferences {
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
