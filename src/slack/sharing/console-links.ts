/** Addresses of devices in the service's console: read from what people post. Pure. */
import { type DeviceId, deviceId } from '../../ids.ts';

/** Where the device's number stands in the setting. */
const ID_PLACE = '{id}';

/** Tells which device an address is of; null: of none. `template` is the setting FLEET_CONSOLE_URL. */
export function consoleLinks(template: string): (url: string) => DeviceId | null {
  const [before = '', after = ''] = template.split(ID_PLACE).map(escaped);
  const pattern = new RegExp(`^${before}([1-9]\\d{0,14})${after}(?=[/?#&]|$)`);
  return (url) => {
    const id = pattern.exec(url)?.[1];
    return id === undefined ? null : deviceId(Number(id));
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
